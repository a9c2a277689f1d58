// The time of each name, the longest first: what `ptk hotspots` answers, without nesting.
import { createRequire } from 'node:module';

const [modules, trace] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(`${modules}/`)('@duckdb/node-api');
const connection = await (await DuckDBInstance.create()).connect();
const rows = await connection.runAndReadAll(`
  SELECT event.name, sum(event.dur) AS time
  FROM (SELECT unnest(traceEvents) AS event
        FROM read_json('${trace}', format = 'unstructured', maximum_object_size = 4000000000,
                       columns = {traceEvents: 'STRUCT(ph VARCHAR, name VARCHAR, dur DOUBLE)[]'}))
  WHERE event.ph = 'X' GROUP BY ALL ORDER BY time DESC LIMIT 20`);

console.log(rows.getRows());
