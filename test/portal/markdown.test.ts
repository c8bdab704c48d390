import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { renderMarkdown } from '../../scripts/portal/markdown/render.ts';
import { portalLinks } from '../../server/contract/index.ts';

const links = portalLinks(contract);
const rendered = (markdown: string) =>
  renderMarkdown(markdown, { title: 'Page', linkTo: links.toPage }).body.markup.replaceAll('>\n<', '><');

describe('Markdown', () => {
  test('becomes HTML: headings, lists in lists, tables, code', () => {
    const markup = rendered(
      '## Two *words*\n\n1. one\n2. two\n   - deeper `code`\n\n| a | b |\n|---|---|\n| 1 \\| 2 | **x** |\n\n```ts\nconst a = 1;\n```',
    );
    expect(markup).toContain('<h2 id="two-words">Two <em>words</em>');
    expect(markup).toContain('<ol><li>one</li><li>two<ul><li>deeper <code>code</code></li></ul></li></ol>');
    expect(markup).toContain('<td>1 | 2</td><td><strong>x</strong></td>');
    expect(markup).toContain('<span class="tok-keyword">const</span> a = <span class="tok-number">1</span>;');
  });

  test('lets long names in tables break after their words, but neither short ones nor a URL', () => {
    const markup = rendered(
      '| a |\n|---|\n| `can_view_it` |\n| `can_manage_everything` |\n| `http://127.0.0.1:8080` |',
    );
    expect(markup).toContain('<td><code>can_view_it</code></td>');
    expect(markup).toContain('<td><code>can_<wbr>manage_<wbr>everything</code></td>');
    expect(markup).toContain('<td><code>http://127.0.0.1:8080</code></td>');
  });

  test('keeps a short name with hyphens on one line, and lets long code break', () => {
    const key = 'b3f1c7a0-52f4-4a0b-8a54-0d6f3c1b9a04';
    const markup = rendered(`\`Cache-Control: no-cache\` \`a - b\` \`${key}\` \`a-<b>\``);
    expect(markup).toContain('<code><span>Cache-Control:</span> <span>no-cache</span></code>');
    expect(markup).toContain('<code>a - b</code>');
    expect(markup).toContain(`<code>${key}</code>`);
    expect(markup).toContain('<code><span>a-&lt;b&gt;</span></code>');
    expect(rendered('`/records/{recordId}/attachments/x_y`')).toContain(
      '<code>/records<wbr>/{recordId}<wbr>/attachments<wbr>/x_<wbr>y</code>',
    );
  });

  test.each([
    'a <script>alert(1)</script> `<b>` [x](https://e.example/"onclick="y)',
    '<div onclick="x">\n\n<b>\n\n</div>',
    'after <pre> or <script> too: <img src=x onerror=alert(1) ',
    '## <b>\n\n- `a_b`: <b>\n\n| <b> |\n|---|\n| <b> |\n\n```ts "><b>\n<b>\n```',
    '[<b>](https://e.example "<b>") <javascript:alert(1)> [x](javascript:alert(1)) [x](<java\tscript:alert(1)>)',
  ])('shows HTML as text, and runs no script: %j', (markdown) => {
    expect(rendered(markdown)).not.toMatch(/<(?:script|img|b|div onclick|pre>)|"onclick|href="java/);
  });

  test('gives each entry of a list of codes an anchor', () => {
    const { body, sections } = renderMarkdown('## 404\n\n- `user_not_found`: no such user.\n- `x`y', {
      title: 'Errors',
      linkTo: links.toPage,
    });
    expect(body.markup).toContain('<li id="user_not_found" class="entry">');
    expect(sections.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'page ',
      'heading 404',
      'entry user_not_found',
    ]);
  });

  test('shows the status of an error, what to do, and when to retry', () => {
    const list = (heading: string, text: string) =>
      rendered(`## ${heading}\n\n- \`a_b\`: ${text} Retry: no.`);
    const one = list('400: invalid', 'the field is wrong.');
    expect(one).toContain(
      '<ul class="errors-list"><li id="a_b" class="entry"><span class="status">400</span>',
    );
    expect(one).toContain('<p>The field is wrong.</p> <p class="retry">Retry: no</p>');
    const several = list('413, 415: size', '`x` is too large (413).');
    expect(several).toContain('<span class="status">413</span>');
    expect(several).toContain('<p><code>x</code> is too large (413).</p>');
  });

  test('has a section for each numbered step, whose fragment has no number', () => {
    const markup = rendered('a\n\n## 1. One\n\nb\n\n### Detail\n\n## 2. Two\n\n## More\n\nc');
    expect(markup.replaceAll(/<a .*?<\/a>/g, '').replaceAll('\n', '')).toBe(
      '<p>a</p><section class="step"><h2 id="one">One</h2><p>b</p><h3 id="detail">Detail</h3></section>' +
        '<section class="step"><h2 id="two">Two</h2></section><h2 id="more">More</h2><p>c</p>',
    );
  });

  test('offers neighbouring headings of level 4 with code as tabs, which keep their fragments', () => {
    const part = (name: string) => `#### ${name}\n\n\`\`\`ts\n1\n\`\`\`\n`;
    const markup = rendered(`### In\n\n${part('Express')}\n${part('Go')}\n### After\n\n${part('Alone')}`);
    expect(markup.match(/<input [^>]*>\w+/g)).toEqual([
      '<input type="radio" name="in-sample" value="Express" checked>Express',
      '<input type="radio" name="in-sample" value="Go">Go',
    ]);
    expect(markup.match(/<section>|<\/section>|id="[^"]+"/g)).toEqual(
      'id="in" <section> id="express" </section> <section> id="go" </section> id="after" id="alone"'.split(
        / (?=<|id)/,
      ),
    );
  });

  test('labels the cells of a table with more than two columns', () => {
    const markup = rendered('| a | b | c |\n|---|---|---|\n| 1 | 2 | a longer text of a cell |');
    expect(markup).toContain(
      '<td class="short">1</td><td data-label="b" class="short">2</td><td data-label="c">a',
    );
    expect(rendered('| a | b |\n|---|---|\n| 1 | 2 |')).toContain('<td>1</td><td>2</td>');
  });

  test('with an unclosed fence throws', () => {
    expect(() => rendered('a\n\n```ts\nconst')).toThrow('The fence "```ts" before "const" is not closed.');
    expect(() => rendered('- a\n\n  ~~~\n  b\n\nc')).toThrow('before "b" is not closed');
    expect(rendered('````md\n```ts\n````')).toContain('<code>```ts</code>');
  });

  test.each([
    '#/errors',
    '#/errors#user_not_found',
    '#/users',
    '#/users/getuser',
    'https://e.example/a_(b)',
    '/docs/changelog',
  ])('links %s to where it is', (href) => {
    const to = {
      '#/errors': '/docs/errors',
      '#/errors#user_not_found': '/docs/errors#user_not_found',
      '#/users': '/docs/reference/users',
      '#/users/getuser': '/docs/reference/users#getUser',
    };
    expect(rendered(`[x](${href})`)).toContain(`href="${to[href as keyof typeof to] ?? href}"`);
  });

  test('of the guides is rendered completely: no markup is left', () => {
    for (const { name, description } of contract.tags) {
      const text = rendered(description)
        .replace(/<(code|pre)\b[\s\S]*?<\/\1>/g, '')
        .replace(/<[^>]+>/g, '');
      expect(text, name).not.toMatch(/\*\*|`|\]\(|^\|/m);
      expect(description, `${name}: the portal cannot draw Mermaid`).not.toContain('```mermaid');
    }
  });
});
