(set-logic HORN)

(declare-fun f (Int Int Int) Bool)
(declare-fun f@1 (Int Int Int Int) Bool)

(assert
  (forall ((a Int) (b Int) (rest Int) (i1 Int) (quotient Int) (quotient!1 Int) (rest!1 Int) (choice Int) (quotient!2 Int) (rest!2 Int) (choice!1 Int) (quotient!3 Int))
    (=>
      (and
        (and (> a (- 129)) (<= a 127) (> b (- 129)) (<= b 127) (> quotient (- 65)) (<= quotient 63) (or (and (> b (- 1)) (> (+ b 1) (* 2 quotient)) (<= b (+ (* 2 quotient) 1))) (and (<= b (- 1)) (> (+ b 2) (* 2 quotient)) (<= b (* 2 quotient)))) (> quotient!1 (- 2)) (<= quotient!1 0) (> (+ b 1) (* 65536 quotient!1)) (<= b (+ (* 65536 quotient!1) 65535)) (> rest!1 (- 1)) (<= rest!1 65535) (= b (+ (* 65536 quotient!1) rest!1)) (or (and (not (= b (* 2 quotient))) (= rest!1 choice)) (and (= b (* 2 quotient)) (= choice 510))) (> quotient!2 (- 1)) (<= quotient!2 1) (> (+ choice 32769) (* 65536 quotient!2)) (<= choice (+ (* 65536 quotient!2) 32767)) (> rest!2 (- 1)) (<= rest!2 65535) (= (+ choice 32768) (+ (* 65536 quotient!2) rest!2)) (or (and (not (= b 0)) (= rest!2 (+ choice!1 32768))) (and (= b 0) (= a choice!1))) (> quotient!3 (- 2)) (<= quotient!3 0) (<= (+ choice!1 (* 18446744073709551616 quotient!3)) (- 1)) (> (+ choice!1 (* 18446744073709551616 quotient!3)) (- 18446744073709551617)) (> rest (- 1)) (<= rest 18446744073709551615) (= (+ rest choice!1 (* 18446744073709551616 quotient!3)) (- 1)) (= i1 0)))
      (f@1 a b rest i1))))

(assert
  (forall ((a Int) (b Int) (v1 Int) (i1 Int) (i1!1 Int) (quotient Int) (rest Int))
    (=>
      (and
        (f@1 a b v1 i1)
        (and (> a (- 129)) (<= a 127) (> b (- 129)) (<= b 127) (> v1 (- 1)) (<= v1 18446744073709551615) (> i1 (- 2147483649)) (<= i1 2147483647) (<= i1 1) (> quotient (- 1)) (<= quotient 1) (> (+ i1 2147483650) (* 4294967296 quotient)) (<= i1 (+ (* 4294967296 quotient) 2147483646)) (> rest (- 1)) (<= rest 4294967295) (= (+ i1 2147483649) (+ (* 4294967296 quotient) rest)) (= (+ i1!1 2147483648) rest)))
      (f@1 a b v1 i1!1))))

(assert
  (forall ((a Int) (b Int) (v1 Int) (i1 Int) (result Int) (quotient Int) (rest Int) (quotient!1 Int) (rest!1 Int) (quotient!2 Int) (rest!2 Int))
    (=>
      (and
        (f@1 a b v1 i1)
        (and (> a (- 129)) (<= a 127) (> b (- 129)) (<= b 127) (> v1 (- 1)) (<= v1 18446744073709551615) (> i1 (- 2147483649)) (<= i1 2147483647) (> i1 1) (> quotient (- 1)) (<= quotient 1) (> (+ v1 1) (* 9223372036854775808 quotient)) (<= v1 (+ (* 9223372036854775808 quotient) 9223372036854775807)) (> rest (- 1)) (<= rest 18446744073709551615) (= (* 2 v1) (+ (* 18446744073709551616 quotient) rest)) (> quotient!1 (- 1)) (<= quotient!1 1) (> (+ rest 18446744073709551489) (* 18446744073709551616 quotient!1)) (<= rest (+ (* 18446744073709551616 quotient!1) 127)) (> rest!1 (- 1)) (<= rest!1 18446744073709551615) (= (+ rest 18446744073709551488) (+ (* 18446744073709551616 quotient!1) rest!1)) (> quotient!2 (- 1)) (<= quotient!2 4294967296) (> (+ rest!1 2147483649) (* 4294967296 quotient!2)) (<= rest!1 (+ (* 4294967296 quotient!2) 2147483647)) (> rest!2 (- 1)) (<= rest!2 4294967295) (= (+ rest!1 2147483648) (+ (* 4294967296 quotient!2) rest!2)) (= (+ result 2147483648) rest!2)))
      (f a b result))))

(assert
  (forall ((value Int) (value!1 Int) (result Int))
    (=>
      (and
        (f value value!1 result)
        (and (> value (- 129)) (<= value 127) (> value!1 (- 129)) (<= value!1 127) (> result (- 2147483649)) (<= result 2147483647) (= result (- 1149))))
      false)))

(check-sat)
(exit)
