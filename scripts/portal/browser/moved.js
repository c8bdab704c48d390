// @ts-check
// Redirects URLs such as /docs#/users/reinstateuser and /docs#/errors, which `Link` headers and bookmarks contain.
(() => {
  const { hash } = location;
  if (!hash.startsWith('#/') || hash === '#/') return;
  const [, page = '', fragment = ''] = /^#\/([^/#]*)[^#]*(#.*)?$/.exec(hash) ?? [];
  const guides = document.querySelector('meta[name="guides"]')?.getAttribute('content')?.split(' ') ?? [];
  location.replace(guides.includes(page) ? `/docs/${page}${fragment}` : `/docs/reference${hash}`);
})();
