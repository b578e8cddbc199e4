(set-logic HORN)

(declare-fun f (Int Int Int) Bool)

(assert
  (forall ((a Int) (b Int) (rest Int) (quotient Int) (rest!1 Int) (quotient!1 Int) (rest!2 Int) (quotient!2 Int) (rest!3 Int) (quotient!3 Int) (quotient!4 Int) (rest!4 Int) (quotient!5 Int) (rest!5 Int) (v1 Int) (quotient!6 Int) (rest!6 Int) (quotient!7 Int) (rest!7 Int) (quotient!8 Int) (rest!8 Int) (quotient!9 Int))
    (=>
      (and
        (and (> a (- 129)) (<= a 127) (> b (- 129)) (<= b 127) (> quotient (- 2)) (<= quotient 0) (> (+ a 1) (+ b (* 65536 quotient))) (<= a (+ b (* 65536 quotient) 65535)) (> rest!1 (- 1)) (<= rest!1 65535) (= a (+ b (* 65536 quotient) rest!1)) (> quotient!1 (- 2)) (<= quotient!1 0) (> (+ b 1) (+ rest!1 (* 18446744073709551616 quotient!1))) (<= b (+ rest!1 (* 18446744073709551616 quotient!1) 18446744073709551615)) (> rest!2 (- 1)) (<= rest!2 18446744073709551615) (= b (+ rest!1 (* 18446744073709551616 quotient!1) rest!2)) (> quotient!2 (- 2)) (<= quotient!2 0) (> (+ a 1) (* 4294967296 quotient!2)) (<= a (+ (* 4294967296 quotient!2) 4294967295)) (> rest!3 (- 1)) (<= rest!3 4294967295) (= a (+ (* 4294967296 quotient!2) rest!3)) (> quotient!3 (- 1)) (<= quotient!3 2147483647) (> (+ rest!3 1) (* 2 quotient!3)) (<= rest!3 (+ (* 2 quotient!3) 1)) (> quotient!4 (- 2)) (<= quotient!4 0) (> (+ rest!3 1) (+ (* 2 quotient!3) (* 4294967296 quotient!4))) (<= rest!3 (+ (* 2 quotient!3) (* 4294967296 quotient!4) 4294967295)) (> rest!4 (- 1)) (<= rest!4 4294967295) (= rest!3 (+ (* 2 quotient!3) (* 4294967296 quotient!4) rest!4)) (> quotient!5 (- 1)) (<= quotient!5 16777216) (> (+ rest!4 129) (* 256 quotient!5)) (<= rest!4 (+ (* 256 quotient!5) 127)) (> rest!5 (- 1)) (<= rest!5 255) (= (+ rest!4 128) (+ (* 256 quotient!5) rest!5)) (> v1 (- 1)) (<= v1 18446744073709551615) (or (and (not (= rest!5 127)) (not (= rest!5 122)) (= rest!2 v1)) (and (= rest!5 122) (> quotient!6 (- 2)) (<= quotient!6 0) (> rest!2 (* 18446744073709551616 quotient!6)) (<= rest!2 (+ (* 18446744073709551616 quotient!6) 18446744073709551616)) (> rest!6 (- 1)) (<= rest!6 18446744073709551615) (= rest!2 (+ (* 18446744073709551616 quotient!6) rest!6 1)) (= v1 rest!6)) (and (= rest!5 127) (= rest!2 v1))) (> quotient!7 (- 1)) (<= quotient!7 15) (> (+ v1 1) (* 1152921504606846976 quotient!7)) (<= v1 (+ (* 1152921504606846976 quotient!7) 1152921504606846975)) (> rest!7 (- 1)) (<= rest!7 18446744073709551615) (= (* 16 v1) (+ (* 18446744073709551616 quotient!7) rest!7)) (> quotient!8 (- 2)) (<= quotient!8 0) (<= (+ rest!7 (* 18446744073709551616 quotient!8)) 0) (> (+ rest!7 (* 18446744073709551616 quotient!8)) (- 18446744073709551616)) (> rest!8 (- 1)) (<= rest!8 18446744073709551615) (= (+ rest!7 (* 18446744073709551616 quotient!8) rest!8) 0) (> quotient!9 (- 1)) (<= quotient!9 72057594037927935) (> (+ rest!8 1) (* 256 quotient!9)) (<= rest!8 (+ (* 256 quotient!9) 255)) (> rest (- 1)) (<= rest 255) (= (+ rest (* 256 quotient!9)) rest!8)))
      (f a b rest))))

(assert
  (forall ((value Int) (value!1 Int) (result Int))
    (=>
      (and
        (f value value!1 result)
        (and (> value (- 129)) (<= value 127) (> value!1 (- 129)) (<= value!1 127) (> result (- 1)) (<= result 255) (= result 1)))
      false)))

(check-sat)
(exit)
