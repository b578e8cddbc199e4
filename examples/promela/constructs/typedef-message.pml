// A record in a message.
typedef Msg { byte a; byte b };
chan c = [1] of { Msg, byte };
active proctype P() {
    Msg m, k;
    byte z;
    m.a = 1; m.b = 2;
    c!m, 3;
    c?k, z;
    assert(k.a == 1 && k.b == 2 && z == 3)
}
