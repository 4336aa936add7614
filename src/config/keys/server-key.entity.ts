import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key pair of the whole server, created once. The private half is sealed for `server-key:<name>`. */
@Entity('server_keys')
export class ServerKey {
  @PrimaryColumn({ type: 'text' })
  name: string;

  @Column({ type: 'text', name: 'public_key' })
  publicKey: string;

  @Column({ type: 'bytea', name: 'private_sealed' })
  privateSealed: Buffer;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
