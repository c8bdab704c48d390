/** The text with names imported from a module, beside what it imports of it already. */
export function withImport(text: string, module: string, names: string[], isType = true): string {
  const pattern = new RegExp(`import (type )?\\{([^}]*)\\} from '${module.replaceAll('.', '\\.')}';`);
  const found = pattern.exec(text);
  if (!found) return `import ${isType ? 'type ' : ''}{ ${names.join(', ')} } from '${module}';\n${text}`;
  const known = namesIn(found[2]);
  const mark = isType && !found[1] ? 'type ' : '';
  const missing = names.filter((name) => !known.includes(name) && !known.includes(`type ${name}`));
  const all = [...known, ...missing.map((name) => mark + name)];
  return text.replace(pattern, `import ${found[1] ?? ''}{ ${all.join(', ')} } from '${module}';`);
}

/** The text of a test file with more of what `await api()` gives, however the file calls it. */
export function withActors(text: string, names: string[]): string {
  return text.replace(
    /const \{([^}]*)\} = (await api\(|(?:platform|api);)/,
    (_, list: string, platform: string) => {
      const all = new Set([...namesIn(list), ...names]);
      return `const { ${[...all].join(', ')} } = ${platform}`;
    },
  );
}

function namesIn(list = ''): string[] {
  const names = list.split(',').map((name) => name.trim());
  return names.filter(Boolean);
}
