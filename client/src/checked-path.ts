/**
 * The path of a call if it is known. Otherwise what the compiler names in its message: the known paths that differ from it
 * by a typo. The compiler itself makes suggestions for assignments, but not for arguments.
 */
export type CheckedPath<Given extends string, Known extends string> = Given extends Known
  ? Given
  : string extends Given
    ? never
    : DidYouMean<Near<Given, Known>>;

type DidYouMean<Path extends string> = Path & { readonly didYouMean?: Path };

/** The known paths whose segments are the given ones, except for a typo in each and the names of parameters. */
type Near<Given extends string, Known extends string> = Known extends unknown
  ? AreNear<Segments<Given>, Segments<Known>> extends true
    ? Known
    : never
  : never;

type Segments<Path extends string> = Path extends `${infer First}/${infer Rest}`
  ? [First, ...Segments<Rest>]
  : [Path];

type AreNear<Given extends string[], Known extends string[]> = [Given, Known] extends [
  [infer First extends string, ...infer Rest extends string[]],
  [infer KnownFirst extends string, ...infer KnownRest extends string[]],
]
  ? IsNear<First, KnownFirst> extends true
    ? AreNear<Rest, KnownRest>
    : false
  : Given extends Known
    ? true
    : false;

type IsNear<Given extends string, Known extends string> = [Given, Known] extends [`{${string}`, `{${string}`]
  ? true
  : WithoutStart<Given, Known> extends [infer Rest extends string, infer KnownRest extends string]
    ? HasTypo<WithoutStart<Reversed<Rest>, Reversed<KnownRest>>[number]>
    : false;

/** At most two characters differ, as in `usres` for `users`. */
type HasTypo<Left extends string> = Left extends `${infer _1}${infer _2}${infer Rest}`
  ? Rest extends ''
    ? true
    : false
  : true;

/** Both texts without the characters that they begin with in common. */
type WithoutStart<One extends string, Other extends string> = One extends `${infer First}${infer Rest}`
  ? Other extends `${First}${infer OtherRest}`
    ? WithoutStart<Rest, OtherRest>
    : [One, Other]
  : [One, Other];

type Reversed<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${Reversed<Rest>}${First}`
  : '';
