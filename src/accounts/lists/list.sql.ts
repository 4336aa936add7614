/** The accounts, as `id`, that are on lists whose members do not appear in the owner's home timeline. Index: lists_exclusive. */
export function exclusiveMembers(owner: string): string {
  return `select m.account_id as id from lists l join list_members m on m.list_id = l.id
    where l.account_id = ${owner} and l.exclusive`;
}
