// Looks keys up in a binary search tree that the host has built. Nodes point to nodes: in shared virtual memory an
// address means the same to the host and here, so the tree comes over as it is.
typedef struct node {
  int key;
  global struct node *left;   // keys that are smaller
  global struct node *right;  // keys that are greater
} node;

// For each wanted key the number of nodes on the way to it, itself included; 0 if it is not in the tree.
kernel void search_tree(global const node *root, global const int *wanted, uint count, global uint *steps) {
  uint i = get_global_id(0);
  if (i >= count) return;
  int key = wanted[i];
  uint way = 1;
  global const node *at = root;
  while (at && at->key != key) {
    at = key < at->key ? at->left : at->right;
    way++;
  }
  steps[i] = at ? way : 0;
}
