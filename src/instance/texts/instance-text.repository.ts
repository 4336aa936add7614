import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/index.js';
import { InstanceText } from './instance-text.entity.js';

/** All SQL on `instance_texts`, which has a few rows. */
@Injectable()
export class InstanceTextRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async find(name: string): Promise<InstanceText | undefined> {
    return (await this.uow.manager.findOneBy(InstanceText, { name })) ?? undefined;
  }

  async replace(name: string, html: string): Promise<void> {
    await this.uow.manager.upsert(InstanceText, { name, html, updatedAt: () => 'now()' }, ['name']);
  }

  async delete(name: string): Promise<void> {
    await this.uow.manager.delete(InstanceText, { name });
  }
}
