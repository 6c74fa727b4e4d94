// A binary search tree of JavaScript objects, and how deep a key lies in it.

interface Node {
  readonly key: number;
  left: Node | undefined;
  right: Node | undefined;
}

/** For each wanted key how many nodes lead to it in the tree that takes `keys` in their order; 0 for keys that it has not. */
export function stepsReference(keys: Int32Array, wanted: Int32Array): Uint32Array {
  const root: Node = { key: keys[0]!, left: undefined, right: undefined };
  for (const key of keys.subarray(1)) insert(root, key);
  return Uint32Array.from(wanted, (key) => {
    let steps = 1;
    let at: Node | undefined = root;
    for (; at && at.key !== key; steps++) at = key < at.key ? at.left : at.right;
    return at ? steps : 0;
  });
}

function insert(root: Node, key: number): void {
  const made: Node = { key, left: undefined, right: undefined };
  for (let at = root; ; ) {
    const side: 'left' | 'right' = key < at.key ? 'left' : 'right';
    const next = at[side];
    if (!next) {
      at[side] = made;
      return;
    }
    at = next;
  }
}
