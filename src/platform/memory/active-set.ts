interface Member<Item> {
  readonly item: Item;
  index: number;
}

/**
 * The objects that are in use at present, such as running requests, in no order. Unlike a `Set` it leaves the garbage
 * collector nothing of former members: V8 links each outgrown table of a `Set` to its successor (docs/adr/0027).
 */
export class ActiveSet<Item> {
  private readonly members: Member<Item>[] = [];

  get size(): number {
    return this.members.length;
  }

  /** The objects as they are now: later changes do not reach this list. */
  get items(): Item[] {
    return this.members.map(({ item }) => item);
  }

  /** Adds an object; the returned function removes it, and does nothing more when it is called again. */
  add(item: Item): () => void {
    const member = { item, index: this.members.length };
    this.members.push(member);
    return () => this.remove(member);
  }

  /** The last member takes the free place. */
  private remove(member: Member<Item>): void {
    const { members } = this;
    if (members[member.index] !== member) return;
    const last = members.pop();
    if (!last || last === member) return;
    last.index = member.index;
    members[last.index] = last;
  }
}
