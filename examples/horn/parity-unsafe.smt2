; Steps of two from an even number: the invariant is x mod 2 = 0, which no bounds can say.
(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= (mod x 2) 0) (inv x))))
(assert (forall ((x Int)) (=> (inv x) (inv (+ x 2)))))
(assert (forall ((x Int)) (=> (and (inv x) (= x 8)) false)))
(check-sat)
