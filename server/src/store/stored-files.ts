/** The columns that make a StoredFile: every table that names a blob has them. */
export const storedFileColumns = [
  'blob_key as blobKey',
  'name',
  'content_type as contentType',
  'size',
  'sha256',
  'created_at as storedAt',
] as const;
