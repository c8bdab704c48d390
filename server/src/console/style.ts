import { systemDesign } from '../pages/design.ts';

/** The style of all pages of the console: a constant, so that the Content-Security-Policy can contain its digest. */
export const style = `${systemDesign}*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--page);color:var(--text);font:var(--size)/1.5 var(--sans)}
.top{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:center;padding:.6rem 1.5rem;background:var(--raised);border-bottom:1px solid var(--line)}
.top .by{margin:0;font-weight:650}
.top ul{display:flex;flex-wrap:wrap;gap:.15rem;margin:0;padding:0;list-style:none}
.top li a{display:inline-block;padding:.25rem .65rem;border-radius:var(--radius-small);color:var(--text);font-size:var(--size-nav);text-decoration:none}
.top li a:hover{background:var(--accent-soft);color:var(--accent)}
.top li a[aria-current]{background:var(--accent-soft);color:var(--accent);font-weight:600}
.badge{padding:.1rem .6rem;border-radius:99rem;font-size:var(--size-small);background:var(--accent-soft);color:var(--accent);font-weight:600}
.badge.sandbox{background:var(--warning-soft);color:var(--warning)}
main{max-width:90rem;margin:0 auto;padding:1.25rem 1.5rem 3rem}
h1{margin:.25rem 0 .5rem;font-size:1.6rem;line-height:1.25;letter-spacing:-.012em;overflow-wrap:anywhere}
h2{margin:2rem 0 .75rem;font-size:1.2rem;line-height:1.3}
h3{margin:1rem 0 .4rem;font-size:1rem}
p{margin:.5rem 0}
a{color:var(--accent);text-underline-offset:.15em}
a:hover{color:var(--accent-hover)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
code,pre,.mono{font-family:var(--mono);font-size:.8125rem}
pre{margin:.35rem 0;padding:.6rem .8rem;max-height:24rem;overflow:auto;border-radius:var(--radius-small);background:var(--code);white-space:pre-wrap;overflow-wrap:anywhere}
.muted{color:var(--muted)}
.facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.2rem 1.25rem;margin:.75rem 0;padding:.8rem 1rem;border-radius:var(--radius);background:var(--raised)}
.facts dt{color:var(--muted)}
.facts dd{margin:0;min-width:0;overflow-wrap:anywhere}
.pill{display:inline-flex;align-items:center;gap:.35rem;padding:.05rem .6rem;border-radius:99rem;font-size:var(--size-small);font-weight:600;white-space:nowrap;background:var(--raised);color:var(--text)}
.pill.running,.pill.requested,.pill.pending,.pill.open{background:var(--accent-soft);color:var(--accent)}
.pill.completed,.pill.delivered,.pill.used{background:var(--good-soft);color:var(--good)}
.pill.failed,.pill.error{background:var(--bad-soft);color:var(--bad)}
.pill.caught,.pill.retried,.pill.cancelled,.pill.expired,.pill.stopped,.pill.revoked{background:var(--warning-soft);color:var(--warning)}
.notice{margin:.75rem 0;padding:.6rem 1rem;border:1px solid var(--line);border-left:4px solid var(--accent);border-radius:var(--radius-small);background:var(--raised);overflow-wrap:anywhere}
.notice.done{border-left-color:var(--good)}
.notice.error{border-left-color:var(--bad);background:var(--bad-soft)}
.notice p{margin:.15rem 0}
.notice pre{background:none;padding:0;max-height:16rem}
form{margin:0}
.filters{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:end;margin:.75rem 0 1rem}
.filters label{display:grid;gap:.2rem;font-size:var(--size-small);color:var(--muted)}
input,select{min-height:2.25rem;max-width:100%;padding:.25rem .6rem;border:1px solid var(--strong-line);border-radius:var(--radius-small);background:var(--page);color:var(--text);font:inherit;font-size:var(--size-nav)}
button,.button{display:inline-flex;align-items:center;min-height:2.25rem;padding:.25rem 1rem;border:1px solid var(--strong-line);border-radius:var(--radius-small);background:none;color:var(--text);font:inherit;font-size:var(--size-nav);font-weight:600;text-decoration:none;cursor:pointer}
button:hover,.button:hover{background:var(--raised);color:var(--text)}
button.main{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
button.main:hover{background:var(--accent-hover)}
button.danger{border-color:var(--bad);color:var(--bad)}
button.danger:hover{background:var(--bad-soft)}
.actions{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin:1rem 0}
.row{display:flex;gap:.4rem;align-items:start}
td details{margin:0;min-width:max-content}
td details p{max-width:14rem}
.scroll{position:relative;overflow-x:auto;margin:0 -.25rem;padding:.25rem}
table{border-collapse:collapse;width:100%;font-size:var(--size-nav)}
caption{padding:0 0 .4rem;text-align:left;color:var(--muted)}
th,td{padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
thead th{color:var(--muted);font-size:var(--size-small);font-weight:600;white-space:nowrap}
tbody th{font-weight:600}
td.number,th.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
td.time,td.keep{white-space:nowrap;font-variant-numeric:tabular-nums}
td.break,th.break{overflow-wrap:anywhere;min-width:12rem}
th,td{max-width:36rem}
.timeline th[scope=row]{min-width:11rem;max-width:20rem;overflow-wrap:anywhere}
.timeline td:nth-child(2){min-width:10rem;max-width:20rem;overflow-wrap:anywhere}
.timeline .wide{width:45%;min-width:16rem;padding-right:0}
.bars{display:block;width:100%;height:1.25rem;margin-top:.1rem;background:var(--raised);border-radius:3px}
.bars rect{fill:var(--muted)}
.bars .completed{fill:var(--good)}
.bars .running{fill:var(--accent)}
.bars .failed,.bars .attempt{fill:var(--bad)}
.bars .caught,.bars .stopped{fill:var(--warning)}
.bars .pause{fill:var(--page);fill-opacity:.65}
.legend{display:flex;flex-wrap:wrap;gap:.25rem .5rem;margin:0 0 .75rem;padding:0;list-style:none}
.picture{overflow:auto;max-height:min(85vh,70rem);border:1px solid var(--line);border-radius:var(--radius);padding:.5rem}
.graph{display:block;margin:0 auto;font:14px var(--sans)}
.graph text{fill:var(--text);text-anchor:middle}
.graph .name{font-weight:600;font-size:14px}
.graph .small,.graph .status,.graph .label{font-size:12px}
.graph .small{fill:var(--muted)}
.graph .label{fill:var(--muted);paint-order:stroke;stroke:var(--page);stroke-width:5px;stroke-linejoin:round}
.graph .around .label{stroke:var(--raised)}
.graph .label.taken{fill:var(--text)}
.graph .line{fill:none;stroke:var(--strong-line);stroke-opacity:.6;stroke-width:1.25}
.graph .line.taken{stroke:var(--text);stroke-opacity:1;stroke-width:2}
.graph .line.caught{stroke:var(--warning);stroke-opacity:1;stroke-width:2}
.graph .line.dashed{stroke-dasharray:5 4}
.graph .arrow{fill:var(--strong-line)}
.graph .arrow.taken{fill:var(--text)}
.graph .arrow.caught{fill:var(--warning)}
.graph .mark{fill:var(--text)}
.graph .mark.ring{fill:none;stroke:var(--text);stroke-width:1.5}
.graph a{text-decoration:none}
.graph a:focus-visible>rect:first-child{stroke-width:4}
.graph a:hover .name{text-decoration:underline}
.graph .state>rect:first-child,.graph .state>a>rect:first-child{fill:var(--page);stroke:var(--strong-line);stroke-width:1.5}
.graph .state.idle>rect:first-child{stroke-dasharray:4 4;fill:var(--page)}
.graph .state.idle>.name,.graph .state.idle>.status{fill:var(--muted)}
.graph .state.completed>a>rect:first-child{fill:var(--good-soft);stroke:var(--good)}
.graph .state.completed>a>.status{fill:var(--good)}
.graph .state.failed>a>rect:first-child{fill:var(--bad-soft);stroke:var(--bad);stroke-width:2.5}
.graph .state.failed>a>.status{fill:var(--bad)}
.graph .state.running>a>rect:first-child{fill:var(--accent-soft);stroke:var(--accent);stroke-width:2.5}
.graph .state.running>a>.status{fill:var(--accent)}
.graph .state.caught>a>rect:first-child,.graph .state.retried>a>rect:first-child,.graph .state.stopped>a>rect:first-child{fill:var(--warning-soft);stroke:var(--warning)}
.graph .state.caught>a>.status,.graph .state.retried>a>.status,.graph .state.stopped>a>.status{fill:var(--warning)}
.graph .state.around>a>rect:first-child,.graph .state.around>rect:first-child{fill:var(--raised)}
.graph .branch{fill:none;stroke:var(--line);stroke-width:1}
details{border:1px solid var(--line);border-radius:var(--radius-small);margin:.4rem 0;padding:0 .9rem}
summary{padding:.45rem 0;cursor:pointer;overflow-wrap:anywhere}
summary .name{font-weight:600}
details>div{padding:0 0 .6rem;scroll-margin-top:3rem}
details details{margin:.35rem 0}
.visit{margin:.5rem 0 .75rem;padding:.1rem 0 .1rem .9rem;border-left:3px solid var(--line)}
.visit.failed{border-left-color:var(--bad)}
.visit.caught,.visit.stopped{border-left-color:var(--warning)}
.visit.completed{border-left-color:var(--good)}
.visit.running{border-left-color:var(--accent)}
.visit h3{margin:.25rem 0}
.pages{display:flex;gap:.75rem;margin:1rem 0}
.hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip:not(:focus){position:absolute;left:-99rem}
@media (max-width:40rem){.top{padding:.5rem 1rem}main{padding:1rem 1rem 2rem}h1{font-size:1.35rem}
.facts{grid-template-columns:1fr;gap:0}.facts dd+dt{margin-top:.45rem}.filters label,.filters input,.filters select,.filters button{width:100%}
.timeline .wide{min-width:12rem}}
@media (forced-colors:active){.pill,.notice{border:1px solid}}
@media print{.top,.actions,.filters,.pages{display:none}.picture{max-height:none}}
`;
