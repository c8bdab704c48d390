/** An object that the platform can find by an identifier in the path, and that a test has at hand. */
export type Addressable = {
  /** The component of spec/parameters.yaml. */
  parameter: string;
  /** The component of spec/responses.yaml for its absence. */
  missing: string;
  /** What a test puts there. */
  value: string;
  /** The parameter that it must stand behind. */
  within?: string;
};

/** Those that server/src/http/addressing.ts asks a permission on, and what they hold. */
export const addressables: Readonly<Record<string, Addressable>> = {
  workspaceId: { parameter: 'WorkspaceId', missing: 'WorkspaceNotFound', value: 'world.workspace.id' },
  userId: { parameter: 'UserId', missing: 'UserNotFound', value: 'world.member.id' },
  tableId: { parameter: 'TableId', missing: 'RecordNotFound', value: 'world.table.id' },
  recordId: { parameter: 'RecordId', missing: 'RecordNotFound', value: 'world.record.id', within: 'tableId' },
};
