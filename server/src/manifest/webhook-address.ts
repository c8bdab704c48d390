/** One spelling for all that lead to the same place: `https://X.example:443` is `https://x.example/`. */
export function sameAddress(url: string): string {
  return new URL(url).href;
}
