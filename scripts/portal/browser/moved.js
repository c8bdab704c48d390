// @ts-check
// Redirects former URLs, which bookmarks contain: /docs#/errors, /docs#/users/reinstateuser, /docs/reference#/users,
// /docs/reference#operation/reinstateUser.
(() => {
  const [, tag = '', operation = '', fragment = ''] =
    /^#(?:\/|tag\/|(?=operation\/))([^/#]*)(?:\/(?:.*\/)?([^/#]+))?(#.*)?$/.exec(location.hash) ?? [];
  if (!tag) return;
  // The navigation links to all guides and resources, and the reference to all operations.
  /** @param {string} end */
  const linkTo = (end) => document.querySelector(`a[href^="/docs/"][href$="${CSS.escape(end)}" i]`);
  const link = (operation && linkTo(`#${operation}`)) || linkTo(`/${tag}`);
  if (link instanceof HTMLAnchorElement && !(operation && link.hash === ''))
    location.replace(link.href + fragment);
  else if (location.pathname === '/docs') location.replace(`/docs/reference${location.hash}`);
})();
