/** Bus channel: digests of URLs whose files are not to be kept any more. */
export const MEDIA_FORGOTTEN = 'media.forgotten';
