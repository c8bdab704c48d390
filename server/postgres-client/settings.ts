/**
 * Adds settings of the session to the connection string: the schema is the only one on the search path.
 *
 * A connection keeps the plans of its statements, also those made while a table was empty. Without `enable_seqscan`, they
 * use indexes, so they are good for a table that has grown since. Before PostgreSQL 18, it is an extreme cost of scans, for
 * which `jit` would compile each statement that needs one.
 */
export function withSettings(
  schema: string,
  connection: string,
  { applicationName, readOnly = false }: { applicationName?: string | undefined; readOnly?: boolean } = {},
): string {
  if (!/^[a-z_][a-z0-9_]*$/.test(schema)) throw new Error(`invalid schema name: ${schema}`);
  const [address, query] = withTlsMode(connection).split('?');
  const parameters = new URLSearchParams(query);
  const options = [
    parameters.get('options') ?? '',
    `-c search_path=${schema}`,
    '-c enable_seqscan=off -c jit=off',
    readOnly ? '-c default_transaction_read_only=on' : '',
  ];
  if (applicationName) parameters.set('application_name', applicationName);
  parameters.set('options', options.join(' ').trim());
  return `${address}?${parameters}`;
}

/**
 * The connection string with the mode of TLS that the driver applies: it verifies certificates in each of these modes, and
 * prints a warning of several lines that it does.
 */
export function withTlsMode(connection: string): string {
  return connection.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}
