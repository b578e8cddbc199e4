; One bit goes round in a byte, written in Z3's rules.
(declare-rel reg ((_ BitVec 8)))
(declare-rel bad ())
(declare-var x (_ BitVec 8))
(rule (reg #x01))
(rule (=> (reg x) (reg ((_ rotate_left 1) x))))
(rule (=> (and (reg x) (= x #x55)) bad))
(query bad)
