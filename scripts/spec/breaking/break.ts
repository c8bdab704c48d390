/** One way in which a client of the released contract can fail against the current one. */
export type Break = {
  rule: string;
  /** The operation, and the place in it. */
  where: string;
  message: string;
};
