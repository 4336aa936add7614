/** A file is damaged, too large, or not of the type it was taken for. The message is for those who uploaded it. */
export class UnreadableMedia extends Error {}
