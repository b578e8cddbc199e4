; x and y start with a sum divisible by 3 and move so that it stays so.
(set-logic HORN)
(define-fun step ((x Int) (y Int) (x2 Int) (y2 Int)) Bool
  (or (and (= x2 (+ x 1)) (= y2 (+ y 2)))
      (and (= x2 (- x 4)) (= y2 (+ y 1)))))
(declare-fun inv (Int Int) Bool)
(assert (inv 0 0))
(assert (forall ((x Int) (y Int) (x2 Int) (y2 Int)) (=> (and (inv x y) (step x y x2 y2)) (inv x2 y2))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (= (div x 3) 4)) false)))
(check-sat)
