; y starts level with x and grows at least as fast: it never falls behind.
(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 1) (= y 1)) (inv x y))))
(assert (forall ((x Int) (y Int) (x2 Int) (y2 Int))
  (=> (and (inv x y) (= x2 (+ x 1)) (= y2 (+ y 2)))
      (inv x2 y2))))
(assert (forall ((x Int) (y Int)) (not (and (inv x y) (< y x)))))
(check-sat)
