/** What the platform and its HTTP client use and Node 20 lacks. */
import workers from 'node:worker_threads';
import zlib from 'node:zlib';

Map.groupBy ??= function groupBy<Key, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item, index: number) => Key,
) {
  const groups = new Map<Key, Item[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
};
Object.groupBy ??= ((items: Iterable<unknown>, keyOf: (item: unknown, index: number) => PropertyKey) =>
  Object.fromEntries(Map.groupBy(items, keyOf))) as typeof Object.groupBy;
Promise.withResolvers ??= function withResolvers<Value>() {
  const deferred = {} as PromiseWithResolvers<Value>;
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  return deferred;
};
// Of all threads: the limit of an evaluation is then of less CPU time.
process.threadCpuUsage ??= (before) => process.cpuUsage(before);
// The HTTP client reads both when it is loaded, and calls neither with the options of the platform.
workers.markAsUncloneable ??= () => {};
zlib.createZstdDecompress ??= () => {
  throw new Error('Node 20 has no Zstandard.');
};
