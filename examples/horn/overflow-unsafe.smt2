; Four bits that count without end: after 15 comes 0.
(set-logic HORN)
(declare-fun inv ((_ BitVec 4) Bool) Bool)
(assert (inv #x1 false))
(assert (forall ((x (_ BitVec 4)) (w Bool))
  (=> (and (inv x w) (bvule x #xf)) (inv (bvadd x #x1) (= x #xf)))))
(assert (forall ((x (_ BitVec 4)) (w Bool)) (=> (inv x w) (not w))))
(check-sat)
