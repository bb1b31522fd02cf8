import { sql } from 'kysely';
import { openTestState } from '../test/state/open.ts';
import { enqueue } from '../src/outbox/outbox.ts';
import { readWaiting } from '../src/outbox/rows.ts';
for (const fam of ['mysql','postgres'] as const) {
const t = await openTestState(fam); const db=t.state.database.db;
const text = JSON.stringify({x:'y'.repeat(1500)});
for (let a=0;a<200;a++) await t.state.transaction(tx=>enqueue(tx, Array.from({length:100},(_,n)=>({id:`e${a}-${n}`,kind:'run' as const,type:'START' as const,runId:`r${a}`,terminal:false,at:1,json:text})),[{name:'d',kinds:'both'}],`k${a}`,1));
if (fam==='postgres') await sql`analyze outbox`.execute(db); else await sql`analyze table outbox`.execute(db);
for (const [what, cond] of [['half sent', 'seq < 10000'],['all sent but 5','seq < 19996'],['all sent','seq > 0']] as const) {
 await sql.raw(`update outbox set state='sent', settled_at=1 where ${cond}`).execute(db);
 for (const q of [`select seq, payload from outbox where destination='d' and state='waiting' and seq > 0 order by seq limit 512`]) {
  const ex=(await sql.raw(`explain ${q}`).execute(db)).rows as any[]; console.log(fam,what, fam==='mysql'?ex[0].key+' '+ex[0].rows+' '+ex[0].Extra:ex.map(r=>r['QUERY PLAN']).join(' | '));
 }
 const b=performance.now(); const r=await readWaiting(db,'d',0,[],512); console.log(' read',r.length,(performance.now()-b).toFixed(1),'ms');
}
await t.drop(); }
