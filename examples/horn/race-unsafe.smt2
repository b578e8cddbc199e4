; y gets ahead of x by one in each round: by more than 3 after four.
(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 1) (= y 1)) (inv x y))))
(assert (forall ((x Int) (y Int) (x2 Int) (y2 Int))
  (=> (and (inv x y) (= x2 (+ x 1)) (= y2 (+ y 2)))
      (inv x2 y2))))
(assert (forall ((x Int) (y Int)) (not (and (inv x y) (> y (+ x 3))))))
(check-sat)
