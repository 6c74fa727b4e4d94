// Puts keys into a binary search tree, all work-items at once and the host beside them. A child is an address or 0, and
// becomes the new node by one atomic exchange: whoever comes second finds the other's node and goes on from there.
typedef struct node {
  int key;
  atomic_uint left;   // the address of a node, or 0
  atomic_uint right;
} node;

kernel void insert_keys(global node *root, global node *nodes, uint count) {
  uint i = get_global_id(0);
  if (i >= count) return;
  global node *mine = nodes + i;
  global node *at = root;
  for (;;) {
    global atomic_uint *child = mine->key < at->key ? &at->left : &at->right;
    uint next = atomic_load_explicit(child, memory_order_acquire, memory_scope_all_svm_devices);
    if (next == 0 &&
        // Released, so that who follows the address finds the key.
        atomic_compare_exchange_strong_explicit(child, &next, (uint)mine, memory_order_acq_rel,
                                                memory_order_acquire, memory_scope_all_svm_devices))
      return;
    at = (global node *)next;
  }
}
