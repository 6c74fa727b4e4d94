// `npm run vscode`: the extension for VS Code as one file, editors/vscode/millrace-vscode-VERSION.vsix, to be installed by
// `code --install-extension FILE`. A .vsix is a zip of the extension with a manifest of its own, which is written here: vsce would
// want hundreds of packages and a network.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('../editors/vscode/', import.meta.url));
const read = (path) => readFileSync(join(folder, path));
const { version: ofPackage } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
// The extension has the version of what it starts.
const manifest = { ...JSON.parse(read('package.json').toString()), version: ofPackage };
const { name, publisher, displayName, description, version, engines, categories, keywords } = manifest;

await build({
  entryPoints: [join(folder, 'src/extension.ts')],
  outfile: join(folder, 'dist/extension.cjs'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  minify: true,
  legalComments: 'linked',
  logLevel: 'warning',
});

const xml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const vsixManifest = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${xml(name)}" Version="${version}" Publisher="${xml(publisher)}"/>
    <DisplayName>${xml(displayName)}</DisplayName>
    <Description xml:space="preserve">${xml(description)}</Description>
    <Tags>${xml(keywords.join(','))}</Tags>
    <Categories>${xml(categories.join(','))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${xml(engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
`;
const types = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".cjs" ContentType="application/javascript"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".txt" ContentType="text/plain"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
`;
const files = new Map([
  ['extension.vsixmanifest', Buffer.from(vsixManifest)],
  ['[Content_Types].xml', Buffer.from(types)],
  ['extension/package.json', Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`)],
  ['extension/README.md', read('README.md')],
  ['extension/LICENSE.txt', readFileSync(new URL('../LICENSE', import.meta.url))],
  ['extension/language-c.json', read('language-c.json')],
  ['extension/language-il.json', read('language-il.json')],
  ['extension/dist/extension.cjs', read('dist/extension.cjs')],
]);
for (const file of readdirSync(join(folder, 'dist')).filter((one) => one.endsWith('.LEGAL.txt')))
  files.set(`extension/dist/${file}`, read(`dist/${file}`));
for (const file of readdirSync(join(folder, 'syntaxes')))
  files.set(`extension/syntaxes/${file}`, read(`syntaxes/${file}`));

const target = process.argv[2] ?? join(folder, `${name}-${version}.vsix`);
writeFileSync(target, zip(files));
console.log(target);
// Whoever can read it says so.
if (process.argv.includes('--list')) execFileSync('unzip', ['-l', target], { stdio: 'inherit' });

/** A zip file; its times are those of no day, so that the same files give the same bytes. */
function zip(entries) {
  const locals = [];
  const directory = [];
  let offset = 0;
  for (const [path, bytes] of entries) {
    const nameBytes = Buffer.from(path);
    const deflated = deflateRawSync(bytes, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version 2.0
    common.writeUInt16LE(0x800, 2); // names are UTF-8
    common.writeUInt16LE(8, 4); // deflated
    common.writeUInt32LE(0x00210000, 6); // 1 January 1980
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(deflated.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, deflated]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, rest, nameBytes]));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.size, 8);
  end.writeUInt16LE(entries.size, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

/** zlib's own is not in all versions of Node. */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
