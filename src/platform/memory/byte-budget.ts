/**
 * Bounds the bytes that many owners hold together. Over the bound the owners that have held theirs for longest are evicted:
 * refusing newcomers instead would let a few slow clients keep all others out.
 */
export class ByteBudget<Owner> {
  /** By owner, oldest first. */
  private readonly reserved = new Map<Owner, number>();
  private sum = 0;

  /** @param evict frees what an owner holds; it is no longer counted by then */
  constructor(
    private readonly maxBytes: number,
    private readonly evict: (owner: Owner) => void,
  ) {}

  /** Bytes held now. */
  get total(): number {
    return this.sum;
  }

  /** Counts further bytes of an owner, and evicts the oldest owners, the given one included, while there are too many. */
  add(owner: Owner, bytes: number): void {
    this.reserved.set(owner, (this.reserved.get(owner) ?? 0) + bytes);
    this.sum += bytes;
    for (const oldest of this.reserved.keys()) {
      if (this.sum <= this.maxBytes) return;
      this.release(oldest);
      this.evict(oldest);
    }
  }

  /** Forgets an owner, who holds nothing any more. */
  release(owner: Owner): void {
    this.sum -= this.reserved.get(owner) ?? 0;
    this.reserved.delete(owner);
  }
}
