const region = /^([ \t]*)(?:\/\/|)#region (\S+)\n([\s\S]*?)^[ \t]*(?:\/\/|)#endregion$/gm;

/**
 * The marked parts of a source: `//#region name` to `//#endregion` in TypeScript, `#region name` to `#endregion` in
 * a shell script; without the indentation of their marks.
 *
 * @throws where a name is given twice, or a mark has no end
 */
export function regionsOf(source: string): Record<string, string> {
  const regions: Record<string, string> = {};
  for (const [, indentation = '', name = '', body = ''] of source.matchAll(region)) {
    if (name in regions) throw new Error(`There are two regions "${name}".`);
    if (body.includes('#region ')) throw new Error(`The region "${name}" has no end.`);
    regions[name] = body
      .split('\n')
      .map((line) => (line.startsWith(indentation) ? line.slice(indentation.length) : line))
      .join('\n')
      .trim();
  }
  return regions;
}
