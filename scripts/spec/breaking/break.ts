/** A change that can break a client of the released contract. */
export type Break = {
  rule: string;
  /** The operation, and the path within it. */
  where: string;
  message: string;
  /** Why it is accepted all the same, if it is (spec/accepted-changes.yaml). */
  accepted?: string;
};
