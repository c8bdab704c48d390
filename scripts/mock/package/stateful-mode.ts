/** What the package `@wrp/mock-stateful` exports. */
export interface StatefulMode {
  openStateful(options: never): Promise<unknown>;
  /** Absent before 3.3. */
  version?: string;
}
