import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { type Html, html, trusted } from '../../../server/src/domain/html.ts';

const languages = { go, http, json, python, typescript, yaml };
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);
highlighter.registerAliases(['js', 'javascript'], { languageName: 'typescript' });
// Samples are about commands and their options.
highlighter.registerLanguage('bash', (api) => {
  const shell = bash(api);
  const keywords = shell.keywords as Record<string, string[]>;
  return {
    ...shell,
    aliases: ['sh', 'shell'],
    keywords: { ...keywords, built_in: [...(keywords['built_in'] ?? []), 'curl', 'node', 'npm', 'npx'] },
    contains: [...shell.contains, { scope: 'attr', match: /(?<=\s)--?[A-Za-z][\w-]*/ }],
  };
});
highlighter.configure({ classPrefix: 'tok-' });

/** Code with its tokens marked up. An unknown language stays plain. */
export function highlight(code: string, language: string): Html {
  if (!highlighter.getLanguage(language)) return html`${code}`;
  const { value } = highlighter.highlight(code, { language });
  // It has no colour of its own, and would be most of the markup of JSON.
  return trusted(value.replaceAll(/<span class="tok-punctuation">([^<]*)<\/span>/g, '$1'));
}
