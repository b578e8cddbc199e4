; Two processes and a lock, all Boolean.
(set-logic HORN)
(declare-fun state (Bool Bool Bool) Bool)
(assert (state false false false))
; The first one enters and leaves.
(assert (forall ((b Bool)) (=> (state false false b) (state true true b))))
(assert (forall ((l Bool) (b Bool)) (=> (state l true b) (state false false b))))
; The second one.
(assert (forall ((l Bool) (a Bool)) (=> (and (state l a false) (not l)) (state true a true))))
(assert (forall ((l Bool) (a Bool)) (=> (state l a true) (state false a false))))
(assert (forall ((l Bool)) (not (state l true true))))
(check-sat)
