#!/usr/bin/env node
/** Prints where npm has installed the stateful mode, for the package that needs it. */
console.log(new URL('./index.js', import.meta.url).href);
