import { Args, Query, Resolver } from '@nestjs/graphql';
import { Requires } from '../auth/access.decorators.js';
import { afterOf, recordFilterOf, UpdateRecordsArgs } from '../jobs/update-records.args.js';
import { UpdateRecordType } from '../jobs/update-record.type.js';
import { type RecordPage, type UpdateRecord, UpdateRecords } from '../jobs/update-records.service.js';
import { Connection, connectionOf, type ConnectionOf } from '../platform/graphql/connection.js';
import { pageSizeOf } from '../platform/graphql/page-args.js';

const UpdateRecordConnection = Connection(UpdateRecordType);

/** The update records that are on no brand's page. */
@Resolver()
export class BrandlessRecordsResolver {
  constructor(private readonly records: UpdateRecords) {}

  @Query(() => UpdateRecordConnection, { description: 'Update records of street style, which has no brand' })
  @Requires('viewer')
  async streetStyleUpdateRecords(@Args() args: UpdateRecordsArgs): Promise<ConnectionOf<UpdateRecord>> {
    return connectionOf(await this.records.streetStyle(pageAsked(args)), (record) => [record.id], args.after);
  }

  @Query(() => UpdateRecordConnection, { description: '未识别品牌: update records whose brand is not known' })
  @Requires('viewer')
  async unknownBrandUpdateRecords(@Args() args: UpdateRecordsArgs): Promise<ConnectionOf<UpdateRecord>> {
    return connectionOf(await this.records.unknownBrand(pageAsked(args)), (record) => [record.id], args.after);
  }
}

function pageAsked(args: UpdateRecordsArgs): RecordPage {
  return { first: pageSizeOf(args), after: afterOf(args), filter: recordFilterOf(args) };
}
