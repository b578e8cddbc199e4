; McCarthy's function: 91 for all n up to 101. Two calls in one clause.
(set-logic HORN)
(declare-fun mc (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (<= n 100) (mc (+ n 11) a) (mc a b)) (mc n b))))
(assert (forall ((n Int) (r Int)) (=> (and (mc n r) (<= n 101) (distinct r 91)) false)))
(check-sat)
