// A record.
typedef Point { byte x; short y = 4; bool set[2] };
Point p;
active proctype P() {
    Point q;
    p.x = 300;
    q.set[1] = true;
    assert(p.x == 44 && p.y == 4 && q.y == 4 && q.set[1] && !q.set[0])
}
