#ifndef LINKED_H
#define LINKED_H

typedef int handler(int);
extern int shared;
extern const char *const names[];
int other_helper(void);
void add_to_shared(int amount);
handler *handler_of(int n);
static inline int twice_each(handler *handle, int n) { return handle(handle(n)); }

#endif
