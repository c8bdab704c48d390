/** The colours of the portal and of the pages of single-use links, as CSS custom properties. */
const light = {
  'color-scheme': 'light',
  page: '#ffffff',
  /** Behind panels, table heads and the cards of link pages. */
  raised: '#f6f7f9',
  line: '#dfe2e8',
  /** The border of an input, which needs a contrast of 3. */
  'strong-line': '#7b8291',
  text: '#1b1e26',
  muted: '#5a6070',
  accent: '#1f4fd8',
  'accent-hover': '#183fae',
  'on-accent': '#ffffff',
  'accent-soft': '#eaf0ff',
  mark: '#ffe9a8',
  code: '#f4f5f8',
  good: '#12693a',
  'good-soft': '#e7f8ef',
  warning: '#8a4b00',
  'warning-soft': '#fff4d6',
  bad: '#b3261e',
  'bad-soft': '#fef3f2',
  'tok-comment': '#5d6472',
  'tok-string': '#1d6b36',
  'tok-keyword': '#8a2096',
  'tok-constant': '#9a3412',
  'tok-key': '#1a4fa3',
};

const dark: typeof light = {
  'color-scheme': 'dark',
  page: '#15171c',
  raised: '#1d2027',
  line: '#343944',
  'strong-line': '#858d9c',
  text: '#e8eaf0',
  muted: '#a3aaba',
  accent: '#8fb1ff',
  'accent-hover': '#b3caff',
  'on-accent': '#0b1526',
  'accent-soft': '#1e2a47',
  mark: '#5c4a12',
  code: '#1d2027',
  good: '#7ddba6',
  'good-soft': '#10291d',
  warning: '#ffd27a',
  'warning-soft': '#33260a',
  bad: '#ff9c92',
  'bad-soft': '#331613',
  'tok-comment': '#99a1b3',
  'tok-string': '#8fd19e',
  'tok-keyword': '#dd9ce8',
  'tok-constant': '#f3b27f',
  'tok-key': '#9cc0ff',
};

/** Type, radii and brand, in light and dark. */
const shared = {
  brand: '#1f4fd8',
  'brand-light': '#7aa0ff',
  sans: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  mono: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  size: '1rem',
  'size-nav': '0.9375rem',
  'size-small': '0.875rem',
  radius: '10px',
  'radius-small': '6px',
};

const declarations = (properties: Record<string, string>) =>
  Object.entries(properties)
    .map(([name, value]) => `${name === 'color-scheme' ? name : `--${name}`}:${value};`)
    .join('');

/** Light or dark as the system has it. */
export const systemDesign = `:root{${declarations(shared)}${declarations(light)}}
@media screen and (prefers-color-scheme:dark){:root{${declarations(dark)}}}
`;

/** Dark with the class `dark`, which a script sets; without scripts, as the system has it. Printed pages are light. */
export const portalDesign = `:root{${declarations(shared)}${declarations(light)}}
@media screen{:root.dark{${declarations(dark)}}}
@media screen and (prefers-color-scheme:dark) and (scripting:none){:root{${declarations(dark)}}}
`;
