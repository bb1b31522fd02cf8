import { fork } from 'node:child_process'; import { once } from 'node:events';
import { Agent, request } from 'undici';
import { openTestState } from '../test/state/open.ts';
import { enqueue, startLane } from '../src/outbox/outbox.ts';
import { createTransport } from '../src/transports/transports.ts';
const child = fork('bench/delivery.ts', ['receiver','0'], { execArgv: process.execArgv });
const [port] = (await once(child, 'message')) as [number];
const fam=(process.argv[3]??'postgres') as 'postgres';
const t = await openTestState(fam); const db=t.state.database.db;
const text = JSON.stringify({x:'y'.repeat(3480)});
for (let a=0;a<500;a++) await t.state.transaction(tx=>enqueue(tx, Array.from({length:40},(_,n)=>({id:`e${a}-${n}`,kind:'run' as const,type:'START' as const,runId:`r${a}`,terminal:false,json:text})),[{name:'d',kinds:'both'}],`k${a}`,1));
const N=Number(process.argv[2]);
const cpu=async(name:string,f:()=>Promise<unknown>)=>{const c0=process.cpuUsage(); const b=performance.now(); await f(); const c=process.cpuUsage(c0); console.log(name,'wall',(performance.now()-b).toFixed(0),'cpu user',(c.user/20000).toFixed(0),'us/ev sys',(c.system/20000).toFixed(0));};
const loop=async(send:(s:string)=>Promise<unknown>)=>{let left=20000; await Promise.all(Array.from({length:N},async()=>{while(left-->0) await send(text);}));};
const dispatcher=new Agent({connections:N,pipelining:1});
const tr = createTransport({name:'d',type:'http',preset:'openlineage',url:`http://127.0.0.1:${port}`,headers:{},timeout:60000,concurrency:N},{version:'x',output:process.stdout});
const ac=new AbortController();
for (let i=0;i<2;i++){
await cpu('raw',()=>loop(async s=>{const r=await request(`http://127.0.0.1:${port}/api/v1/lineage`,{method:'POST',body:s,headers:{'content-type':'application/json'},dispatcher}); await r.body.dump();}));
await cpu('transport',()=>loop(s=>tr.send(s,ac.signal)));
await db.updateTable('outbox').set({state:'waiting'}).execute();
await cpu('lane null sender',async()=>{const l=startLane({destination:'d',state:t.state,sender:()=>({send:async()=>({kind:'sent'})}),concurrency:N,guard:async()=>true}); await l.idle(); await l.stop(1);});
await db.updateTable('outbox').set({state:'waiting'}).execute();
await cpu('lane',async()=>{const l=startLane({destination:'d',state:t.state,sender:()=>tr,concurrency:N,guard:async()=>true}); await l.idle(); await l.stop(1);});
}
await t.drop(); child.kill();
