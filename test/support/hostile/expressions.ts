const as = 'a'.repeat(50);
const doubled = "$reduce([1..22], function($text, $_) { $text & $text }, 'x')";

/** Expressions that no limit of the language stops early, or that reach native code with large values. */
export const hostileExpressions: [what: string, expression: string][] = [
  ['a regular expression that backtracks in $match', `$match('${as}!', /^(a+)+$/)`],
  ['in $contains', `$contains('${as}!', /^(a|a)*$/)`],
  ['in $replace', `$replace('${as}!', /(a|aa)+$/, 'b')`],
  ['in $split', `$split('${as}!', /(a*)*$/)`],
  ['a lookahead', `$match('${as}!', /^(?=(a+)+$)b/)`],
  ['a match of nothing, again and again', "$match('abc', /x*/)"],
  ['an endless tail call', '($f := function($n) { $f($n + 1) }; $f(0))'],
  ['endless recursion', '($f := function($n) { 1 + $f($n + 1) }; $f(0))'],
  ['endless mutual recursion', '($f := function($n) { $g($n) }; $g := function($n) { $f($n) }; $f(0))'],
  ['recursion that branches', '($f := function($n) { $n < 2 ? $n : $f($n - 1) + $f($n - 2) }; $f(60))'],
  ['a fixed-point combinator', '($y := function($f) { $f($f) }; $y(function($f) { $f($f) }))'],
  ['ranges in ranges', '$sum([1..100000].($sum([1..100000])))'],
  ['a range of 10^9', '$count([1..1000000000])'],
  ['$range without end', '$range(1, 2, 1e-300)'],
  ['a string padded to 500 million', "$length($pad('x', 500000000))"],
  [
    'a string that doubles',
    "($d := function($s, $n) { $n = 0 ? $s : $d($s & $s, $n - 1) }; $d('xxxxxxxx', 40))",
  ],
  ['a list that doubles', "$reduce([1..40], function($list, $_) { $append($list, $list) }, [1, 'a'])"],
  ['joins that grow', `$reduce([1..30], function($s, $_) { $join([$s, $s, $s, $s]) }, 'abcdefgh')`],
  ['$replace that grows', `$length($replace(${doubled}, 'x', 'xxxxxxxxxxxxxxxx'))`],
  ['60 million opening brackets to $parse', "$parse($pad('', 60000000, '['))"],
  ['16 million opening brackets to $parse', "$parse($pad('', 16000000, '['))"],
  [
    'many small objects to $parse, again and again',
    `[1..100000].($count($parse('[' & $replace(${doubled}, 'x', '{},') & '0]')))`,
  ],
  ['a sort whose order contradicts itself', '$sort([1..200000], function($a, $b) { $random() > 0.5 })'],
  ['a sort that never ends', '$sort([1, 2], function($a, $b) { $sum([1..100000].($sum([1..100000]))) > 0 })'],
  [
    'a picture of $formatNumber, again and again',
    `[1..100000].($formatNumber(1, ${doubled.replace("'x'", "'#'")}))`,
  ],
  ['a picture of $formatInteger', `$formatInteger(1, ${doubled.replace("'x'", "'#'")})`],
  ['roman numerals', "$length($formatInteger(1e9, 'I'))"],
  [
    'a picture of $fromMillis, again and again',
    `[1..100000].($fromMillis(1, ${doubled.replace("'x'", "'[Y]'")}))`,
  ],
  [
    'a picture of $toMillis, again and again',
    `[1..100000].($toMillis(${doubled.replace("'x'", "'1'")}, ${doubled.replace("'x'", "'[Y]'")}))`,
  ],
  ['objects of many keys, again and again', `[1..100000].($merge([1..300000].{ $string($): $ }))`],
  ['groups of groups', '[1..300000]{ $string($ % 1000): [1..300000]{ $string($): $ } }'],
  [
    'descendants of a deep value',
    "($v := $reduce([1..400], function($v, $_) { {'a': $v, 'b': $v} }, 1); $count($v.**))",
  ],
  [
    'a value that, written out, is endless',
    "$string($reduce([1..60], function($v, $_) { {'a': $v, 'b': $v} }, 1))",
  ],
  ['$distinct of many objects', '$distinct([1..100000].{ "a": $ })'],
  ['$shuffle in a loop', '$map([1..1000000], function($_) { $shuffle([1..1000000]) })'],
  ['hashes in a loop', `[1..1000000].$hash(${doubled}, 'SHA-512')`],
  ['a transform in a loop', '[1..1000000].({"a": $} ~> |$|{"b": [1..1000]}|)'],
];
