// Which addresses the policy of Trusted Types lets pass, in a page that has them.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { blobOf, policyMissing, workerAddress } from '../../src/runtime/worker-address.ts';

const rulesMade: string[][] = [];
beforeAll(() => {
  vi.stubGlobal('origin', 'https://example.com');
  vi.stubGlobal('trustedTypes', {
    createPolicy(name: string, rules: object) {
      rulesMade.push([name, ...Object.keys(rules)]);
      return rules;
    },
  });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

test('files of the own origin and own blobs are addresses of workers', () => {
  const own = blobOf('import "https://cdn.example.com/worker.js";');
  for (const address of ['https://example.com/dist/worker.js', own])
    expect(workerAddress(address)).toBe(address);
});

test.each([
  'https://cdn.example.com/worker.js',
  'http://example.com/worker.js',
  'data:text/javascript,1',
  'file:///worker.js',
  'blob:https://example.com/2f4d2d1c-0c4d-4a4e-9d5a-6c1f6a1c0a11',
  'javascript:1',
])('%s is none', (address) => {
  expect(() => workerAddress(address)).toThrow(TypeError);
});

test('there is one policy, which makes nothing but addresses', () => {
  expect(rulesMade).toEqual([['millrace', 'createScriptURL']]);
  expect(policyMissing(new TypeError('another'))).toBeUndefined();
});
