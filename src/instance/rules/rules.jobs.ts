import { Injectable } from '@nestjs/common';
import { Bus, ListensAfterCommit, Subscribes } from '../../platform/index.js';
import { RULES_CHANGED } from '../model/instance.channels.js';
import { RulesChanged } from '../model/instance.events.js';

/** Lets every process look at the rules anew. */
@Injectable()
export class RulesJobs {
  constructor(private readonly bus: Bus) {}

  /** At once from the process that changed them; once more from one that runs jobs, since nobody hears an operator's command. */
  @ListensAfterCommit(RulesChanged)
  @Subscribes(RulesChanged, { job: 'instance.announce-rules', queue: 'stream' })
  announce(): void {
    this.bus.publish(RULES_CHANGED, {});
  }
}
