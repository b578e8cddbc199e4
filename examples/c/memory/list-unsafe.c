// A linked list on the heap, reversed and freed.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

struct node *push(struct node *list, int value) {
    struct node *node = malloc(sizeof(struct node));
    node->value = value;
    node->next = list;
    return node;
}

struct node *reverse(struct node *list) {
    struct node *done = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    struct node *list = NULL;
    for (int i = 0; i < 4; i++) list = push(list, i == 2 ? x : i);
    list = reverse(list);
    assert(list->value == 3);
    int count = 0;
    while (list) {
        struct node *next = list->next;
        if (count == 2) assert(list->value == x);
        free(list);
        list = next;
        count++;
    }
    assert(count == 4);
    return 0;
}
