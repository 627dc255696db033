#!/usr/bin/env python3
"""Sluice against other programs: every method, both roles, streams and datagrams.

    lab/interop/peers.py [--peers sing-box,xray,…] [--cases ss22-aes128,…] [--limit SECONDS] [--write docs/interop.md]

Programs are looked for in the folder that $PEERS names, then on PATH; those that are missing are left out. Sluice is
./sluice of this tree, or $SLUICE. Everything listens on loopback, on ports that the kernel chose; everything that was
started is killed by its process group. Each check waits 10 seconds at most and all together --limit seconds.

A chain is: an echo server, a server program, a client program with a forward port. A stream check sends 1 MB and
wants the same bytes back, then the end; a datagram check wants datagrams of 1 to 4,000 bytes back.
Exit code 1 when something that both programs have does not work.
"""
import argparse, atexit, base64, datetime, json, os, pathlib, re, shutil, signal, socket, subprocess, sys, tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = pathlib.Path(tempfile.mkdtemp(prefix="sluice-interop-"))
START_SECONDS = 30
STEP_SECONDS = 10
STREAM_BYTES = 1_000_000
DATAGRAM_BYTES = (1, 100, 1200, 4000)
SMALL_BUFFERS = ("v2ray", "shadowsocks-libev")     # these drop datagrams of more than a packet

PASSWORD = "pass for the lab"
def key(n, of): return base64.b64encode(bytes((of + i) % 256 for i in range(n))).decode()
def user_key(n): return key(n, 100)
def relay_key(n): return key(n, 200)

SS = {"ss-aes128": "aes-128-gcm", "ss-aes192": "aes-192-gcm", "ss-aes256": "aes-256-gcm",
      "ss-chacha": "chacha20-ietf-poly1305", "ss-xchacha": "xchacha20-ietf-poly1305"}
SS22 = {"ss22-aes128": ("2022-blake3-aes-128-gcm", 16), "ss22-aes256": ("2022-blake3-aes-256-gcm", 32),
        "ss22-chacha": ("2022-blake3-chacha20-poly1305", 32)}
EIH = {"eih-aes128": ("2022-blake3-aes-128-gcm", 16), "eih-aes256": ("2022-blake3-aes-256-gcm", 32)}
UOT = {"uot-v1": 1, "uot-v2": 2}
RELAY = {"relay-aes128": ("2022-blake3-aes-128-gcm", 16)}
CASES = {"socks4a": "SOCKS4a", "socks5": "SOCKS5", "socks5-auth": "SOCKS5 with a password", "http": "HTTP CONNECT",
         "http-auth": "HTTP CONNECT with a password",
         **{c: f"Shadowsocks {m}" for c, m in SS.items()}, **{c: f"Shadowsocks {m}" for c, (m, _) in SS22.items()},
         **{c: f"{m}, several users" for c, (m, _) in EIH.items()},
         **{c: f"UDP over TCP version {v}, over Shadowsocks" for c, v in UOT.items()},
         **{c: f"{m}, through a relay of the other" for c, (m, _) in RELAY.items()}}
STREAM_ONLY = ("socks4a", "http", "http-auth")
DATAGRAM_ONLY = tuple(UOT)

# ---------------------------------------------------------------- programs and processes

def find(name):
    for folder in (os.environ.get("PEERS", ""), *os.environ.get("PATH", "").split(os.pathsep)):
        if folder and os.access(os.path.join(folder, name), os.X_OK):
            return os.path.join(folder, name)
    return None

RUNNING = []
def start(command, name):
    log = open(WORK / (re.sub(r"\W", "-", name) + ".log"), "w+")
    p = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True, cwd=WORK,
                         env={**os.environ, "SLUICE_NO_BUILD": "1"})
    p.log = log
    RUNNING.append(p)
    return p
def stop(p):
    if p in RUNNING: RUNNING.remove(p)
    try: os.killpg(p.pid, signal.SIGKILL)
    except ProcessLookupError: pass
    p.wait()
    p.log.close()
def stop_all():
    for p in list(RUNNING): stop(p)
    shutil.rmtree(WORK, ignore_errors=True)
atexit.register(stop_all)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

TAKEN = set()
def port():
    """A number that is free for TCP and UDP and was not given out before."""
    while True:
        with socket.socket() as t, socket.socket(type=socket.SOCK_DGRAM) as u:
            t.bind(("127.0.0.1", 0)); p = t.getsockname()[1]
            try: u.bind(("127.0.0.1", p))
            except OSError: continue
            if p not in TAKEN: TAKEN.add(p); return p

def is_open(p, udp=False):
    """Looks into /proc, since a connection would reach the program under test."""
    for f in ("udp", "udp6") if udp else ("tcp", "tcp6"):
        for line in open("/proc/net/" + f).read().splitlines()[1:]:
            w = line.split()
            if int(w[1].rsplit(":", 1)[1], 16) == p and (udp or w[3] == "0A"): return True
    return False
def await_open(process, p, udp):
    end = time.time() + START_SECONDS
    while time.time() < end:
        if process.poll() is not None: raise Failure("ended: " + tail(process))
        if is_open(p) or (udp and is_open(p, True)): time.sleep(0.1); return
        time.sleep(0.05)
    raise Failure("does not listen: " + tail(process))
def tail(process):
    process.log.seek(0)
    return re.sub(r"\s+", " ", re.sub(r"\x1b\[\d*m", "", process.log.read()))[-300:]

class Failure(Exception): pass

def write(name, content):
    f = WORK / name
    f.write_text(content if isinstance(content, str) else json.dumps(content, indent=1))
    return str(f)

# ---------------------------------------------------------------- the echo server and the two checks

def echo_server():
    p = port()
    t = socket.create_server(("127.0.0.1", p), backlog=64)
    u = socket.socket(type=socket.SOCK_DGRAM); u.bind(("127.0.0.1", p))
    def stream(c):
        with c:
            try:
                while d := c.recv(65536): c.sendall(d)
            except OSError: pass
    def accept():
        while True: threading.Thread(target=stream, args=(t.accept()[0],), daemon=True).start()
    def datagrams():
        while True:
            d, a = u.recvfrom(65535); u.sendto(d, a)
    for f in (accept, datagrams): threading.Thread(target=f, daemon=True).start()
    return p

def check_stream(p, _):
    sent = os.urandom(STREAM_BYTES)
    with socket.create_connection(("127.0.0.1", p), STEP_SECONDS) as c:
        def up():
            try: c.sendall(sent)
            except OSError: pass
        threading.Thread(target=up, daemon=True).start()
        got = bytearray()
        end = time.time() + STEP_SECONDS
        try:
            while len(got) < len(sent):
                c.settimeout(max(0.1, end - time.time()))
                d = c.recv(65536)
                if not d: break
                got += d
        except OSError as e: raise Failure(f"{len(got)} of {len(sent)} bytes, then {e}")
        if got != sent: raise Failure(f"{len(got)} of {len(sent)} bytes came back")
        # Only behind all bytes, since several programs cut the way back when one side has ended.
        c.settimeout(STEP_SECONDS)
        try:
            c.shutdown(socket.SHUT_WR)
            if c.recv(1): raise Failure("more bytes than were sent")
        except ConnectionResetError: pass
        except socket.timeout: return "keeps the other half open"

def check_datagrams(p, most):
    with socket.socket(type=socket.SOCK_DGRAM) as u:
        u.settimeout(1.5)
        for n in DATAGRAM_BYTES:
            if n > most: continue
            sent = os.urandom(n)
            for _ in range(3):                      # UDP may lose; three times is a defect
                u.sendto(sent, ("127.0.0.1", p))
                try:
                    while (got := u.recv(65535)) != sent: pass
                    break
                except (socket.timeout, ConnectionRefusedError): got = None
            if got != sent: raise Failure(f"no echo of {n} bytes")

# ---------------------------------------------------------------- configurations in sing-box's language

def box_members(case, side):
    """What a Shadowsocks inbound or outbound says."""
    if case in SS: return {"method": SS[case], "password": PASSWORD}
    if case in UOT: return {"method": "2022-blake3-aes-128-gcm", "password": key(16, 0)}
    if case in SS22: m, n = SS22[case]; return {"method": m, "password": key(n, 0)}
    m, n = EIH[case]
    if side == "client": return {"method": m, "password": key(n, 0) + ":" + user_key(n)}
    return {"method": m, "password": key(n, 0),
            "users": [{"name": "other", "password": key(n, 50)}, {"name": "lab", "password": user_key(n)}]}
def box_server(case, listen):
    i = {"tag": "in", "listen": "127.0.0.1", "listen_port": listen}
    if case.startswith("socks"): i["type"] = "socks"
    elif case.startswith("http"): i["type"] = "http"
    else: i |= {"type": "shadowsocks", **box_members(case, "server")}
    if case.endswith("-auth"): i["users"] = [{"username": "lab", "password": "secret"}]
    return {"log": {"level": "warn"}, "inbounds": [i], "outbounds": [{"type": "direct"}]}
def box_client(case, listen, server, target):
    o = {"tag": "out", "server": "127.0.0.1", "server_port": server}
    if case.startswith("socks"): o |= {"type": "socks", "version": "4a" if case == "socks4a" else "5"}
    elif case.startswith("http"): o |= {"type": "http"}
    else: o |= {"type": "shadowsocks", **box_members(case, "client")}
    if case.endswith("-auth"): o |= {"username": "lab", "password": "secret"}
    if case in UOT: o["udp_over_tcp"] = {"enabled": True, "version": UOT[case]}
    return {"log": {"level": "warn"}, "outbounds": [o],
            "inbounds": [{"type": "direct", "tag": "f", "listen": "127.0.0.1", "listen_port": listen,
                          "override_address": "127.0.0.1", "override_port": target}]}
def box_relay(case, listen, server):
    m, n = RELAY[case]
    return {"log": {"level": "warn"}, "outbounds": [{"type": "direct"}],
            "inbounds": [{"type": "shadowsocks", "tag": "in", "listen": "127.0.0.1", "listen_port": listen, "method": m,
                          "password": relay_key(n),
                          "destinations": [{"name": "lab", "server": "127.0.0.1", "server_port": server,
                                            "password": key(n, 0)}]}]}
def box_client_of_relay(case, listen, server, target):
    m, n = RELAY[case]
    c = box_client("ss22-aes128", listen, server, target)
    c["outbounds"][0] |= {"method": m, "password": relay_key(n) + ":" + key(n, 0)}
    return c

# ---------------------------------------------------------------- the programs

class Box:
    """Sluice and sing-box: one language."""
    def __init__(self, name, program): self.name, self.program = name, program
    def run(self, config, role): return [self.program, "run", "-c", write(f"{self.name}-{role}.json", config)]
    def server(self, case, listen): return self.run(box_server(case, listen), "server")
    def client(self, case, *ports): return self.run(box_client(case, *ports), "client")
    def relay(self, case, *ports): return self.run(box_relay(case, *ports), "relay")
    def relayed(self, case, *ports): return self.run(box_client_of_relay(case, *ports), "relayed")
    def version(self):
        out = subprocess.run([self.program, "version"], capture_output=True, text=True, timeout=30,
                             env={**os.environ, "SLUICE_NO_BUILD": "1"}).stdout
        return " ".join(out.split("\n")[0].replace(" version ", " ").split()[:2])

class Ray:
    """Xray and v2ray."""
    def __init__(self, name, program, new): self.name, self.program, self.new = name, program, new
    def run(self, config, role):
        f = write(f"{self.name}-{role}.json", config)
        return [self.program, "run", "-c", f] if self.new else [self.program, "-config", f]
    def settings(self, case, side):
        if case in SS: m, p = SS[case], PASSWORD
        elif case in SS22: m, p = SS22[case][0], key(SS22[case][1], 0)
        elif case in EIH and self.new:
            m, n = EIH[case]
            if side == "client": p = key(n, 0) + ":" + user_key(n)
            else: return {"method": m, "password": key(n, 0), "clients": [{"password": key(n, 50), "email": "other"}, {"password": user_key(n), "email": "lab"}]}
        else: return None
        if case in SS22 and not self.new: return None
        if case == "ss-aes192" or case == "ss-xchacha" and not self.new: return None
        return {"method": m, "password": p}
    def server(self, case, listen):
        i = {"listen": "127.0.0.1", "port": listen}
        auth = {"accounts": [{"user": "lab", "pass": "secret"}]}
        if case.startswith("socks"): i |= {"protocol": "socks", "settings": {"udp": True, "ip": "127.0.0.1", **({"auth": "password", **auth} if case.endswith("-auth") else {})}}
        elif case.startswith("http"): i |= {"protocol": "http", "settings": auth if case.endswith("-auth") else {}}
        elif s := self.settings(case, "server"): i |= {"protocol": "shadowsocks", "settings": {**s, "network": "tcp,udp"}}
        else: return None
        free = {"finalRules": [{"action": "allow"}]} if self.new else {}
        return self.run({"log": {"loglevel": "warning"}, "inbounds": [i], "outbounds": [{"protocol": "freedom", "settings": free}]}, "server")
    def client(self, case, listen, server, target):
        s = {"address": "127.0.0.1", "port": server}
        user = [{"user": "lab", "pass": "secret"}] if case.endswith("-auth") else None
        if user: s["users"] = user
        if case == "socks4a": return None
        if case.startswith("socks"): o = {"protocol": "socks", "settings": {"servers": [s]}}
        elif case.startswith("http"): o = {"protocol": "http", "settings": {"servers": [s]}}
        elif k := self.settings(case, "client"): o = {"protocol": "shadowsocks", "settings": {"servers": [{**s, **k}]}}
        else: return None
        return self.run({"log": {"loglevel": "warning"}, "outbounds": [o],
                         "inbounds": [{"listen": "127.0.0.1", "port": listen, "protocol": "dokodemo-door",
                                       "settings": {"address": "127.0.0.1", "port": target, "network": "tcp,udp"}}]}, "client")
    def version(self):
        out = subprocess.run([self.program, "version" if self.new else "-version"], capture_output=True, text=True, timeout=30).stdout
        return " ".join(out.split()[:2])

class Mihomo:
    name = "mihomo"
    def __init__(self, program): self.program = program
    def run(self, config, role):
        d = WORK / f"mihomo-{role}"; d.mkdir(exist_ok=True)
        (d / "config.yaml").write_text(json.dumps({"log-level": "warning", "mode": "rule", "ipv6": False, "geodata-mode": False,
                                                   "profile": {"store-selected": False}, **config}, indent=1))
        return [self.program, "-d", str(d)]
    def cipher(self, case, side):
        if case in SS: return SS[case], PASSWORD
        if case in SS22: return SS22[case][0], key(SS22[case][1], 0)
        if case in UOT: return "2022-blake3-aes-128-gcm", key(16, 0)
        if case in EIH and side == "client": m, n = EIH[case]; return m, key(n, 0) + ":" + user_key(n)
        return None, None
    def server(self, case, listen):
        l = {"name": "in", "listen": "127.0.0.1", "port": listen, "udp": True}
        users = [{"username": "lab", "password": "secret"}] if case.endswith("-auth") else []
        if case.startswith("socks"): l |= {"type": "socks", "users": users}
        elif case.startswith("http"): l |= {"type": "http", "users": users}
        else:
            m, p = self.cipher(case, "server")
            if m is None: return None
            l |= {"type": "shadowsocks", "cipher": m, "password": p}
        return self.run({"listeners": [l], "rules": ["MATCH,DIRECT"]}, "server")
    def client(self, case, listen, server, target):
        p = {"name": "out", "server": "127.0.0.1", "port": server}
        if case == "socks4a": return None
        if case.startswith("socks"): p |= {"type": "socks5", "udp": True}
        elif case.startswith("http"): p |= {"type": "http"}
        else:
            m, k = self.cipher(case, "client")
            if m is None: return None
            p |= {"type": "ss", "cipher": m, "password": k, "udp": True}
        if case.endswith("-auth"): p |= {"username": "lab", "password": "secret"}
        if case in UOT: p |= {"udp-over-tcp": True, "udp-over-tcp-version": UOT[case]}
        return self.run({"proxies": [p], "rules": ["MATCH,DIRECT"],
                         "tunnels": [{"network": ["tcp", "udp"], "address": f"127.0.0.1:{listen}", "target": f"127.0.0.1:{target}", "proxy": "out"}]}, "client")
    def version(self):
        out = subprocess.run([self.program, "-v"], capture_output=True, text=True, timeout=30).stdout
        return "mihomo " + out.split()[2]

class Rust:
    name = "shadowsocks-rust"
    def __init__(self, local, server): self.local, self.program = local, server
    def cipher(self, case, side):
        if case in SS: return SS[case], PASSWORD
        if case in SS22: return SS22[case][0], key(SS22[case][1], 0)
        if case in EIH: m, n = EIH[case]; return m, key(n, 0) + (":" + user_key(n) if side == "client" else "")
        return None, None
    def server(self, case, listen):
        m, p = self.cipher(case, "server")
        if m is None or case in ("ss-aes192", "ss-xchacha"): return None
        c = {"servers": [{"server": "127.0.0.1", "server_port": listen, "method": m, "password": p, "mode": "tcp_and_udp"}]}
        if case in EIH: c["servers"][0]["users"] = [{"name": "other", "password": key(EIH[case][1], 50)}, {"name": "lab", "password": user_key(EIH[case][1])}]
        return [self.program, "-c", write("rust-server.json", c)]
    def client(self, case, listen, server, target):
        m, p = self.cipher(case, "client")
        if m is None or case in ("ss-aes192", "ss-xchacha"): return None
        return [self.local, "--protocol", "tunnel", "-b", f"127.0.0.1:{listen}", "-s", f"127.0.0.1:{server}", "-k", p, "-m", m,
                "-f", f"127.0.0.1:{target}", "-U"]
    def version(self):
        out = subprocess.run([self.program, "--version"], capture_output=True, text=True, timeout=30).stdout
        return "shadowsocks-rust " + out.split()[-1]

class Libev:
    name = "shadowsocks-libev"
    def __init__(self, tunnel, server): self.tunnel, self.program = tunnel, server
    def server(self, case, listen):
        if case not in SS: return None
        return [self.program, "-s", "127.0.0.1", "-p", str(listen), "-k", PASSWORD, "-m", SS[case], "-u"]
    def client(self, case, listen, server, target):
        if case not in SS: return None
        return [self.tunnel, "-s", "127.0.0.1", "-p", str(server), "-b", "127.0.0.1", "-l", str(listen),
                "-L", f"127.0.0.1:{target}", "-k", PASSWORD, "-m", SS[case], "-u"]
    def version(self):
        out = subprocess.run([self.program, "-h"], capture_output=True, text=True, timeout=30)
        return " ".join((out.stdout + out.stderr).split()[:2])

class Shoes:
    """A server only, without datagrams of Shadowsocks."""
    name = "shoes"
    def __init__(self, program): self.program = program
    def server(self, case, listen):
        if case in SS and case not in ("ss-aes192", "ss-xchacha"): p = {"type": "shadowsocks", "cipher": SS[case], "password": PASSWORD}
        elif case in SS22: p = {"type": "shadowsocks", "cipher": SS22[case][0], "password": key(SS22[case][1], 0)}
        elif case in UOT: p = {"type": "shadowsocks", "cipher": "2022-blake3-aes-128-gcm", "password": key(16, 0)}
        elif case in ("socks5", "socks5-auth"): p = {"type": "socks"}
        elif case in ("http", "http-auth"): p = {"type": "http"}
        else: return None
        if case.endswith("-auth"): p |= {"username": "lab", "password": "secret"}
        return [self.program, write("shoes.yaml", json.dumps([{"address": f"127.0.0.1:{listen}", "protocol": p}]))]
    def client(self, *_): return None
    def version(self): return "shoes"

def peers(asked):
    found = []
    if p := find("sing-box"): found.append(Box("sing-box", p))
    if p := find("xray"): found.append(Ray("Xray", p, True))
    if p := find("mihomo"): found.append(Mihomo(p))
    if (p := find("ssserver")) and (l := find("sslocal")): found.append(Rust(l, p))
    if (p := find("ss-server")) and (l := find("ss-tunnel")): found.append(Libev(l, p))
    if p := find("v2ray"): found.append(Ray("v2ray", p, False))
    if p := find("shoes"): found.append(Shoes(p))
    return [p for p in found if not asked or p.name.lower() in asked]

# ---------------------------------------------------------------- running

def chain(client, server, case, echo):
    """Starts server and client; returns what to ask and what to stop, or None when one of them lacks the case."""
    s, c = port(), port()
    started = []
    def up(command, name, p):
        process = start(command, name); started.append(process)
        await_open(process, p, True)
    try:
        if case in RELAY:
            # client of one, relay of the other, server of the first
            if not hasattr(client, "relayed") or not hasattr(server, "relay"): return None
            end = port()
            up(client.server("ss22-aes128", end), "end", end)
            up(server.relay(case, s, end), "relay", s)
            up(client.relayed(case, c, s, echo), "client", c)
        else:
            commands = server.server(case, s), client.client(case, c, s, echo)
            if None in commands: return None
            up(commands[0], "server", s)
            up(commands[1], "client", c)
        return c, started
    except Failure:
        for p in started: stop(p)
        raise

def checks(case, server):
    if case not in DATAGRAM_ONLY: yield "TCP", check_stream
    if case not in STREAM_ONLY and not (server.name == "shoes" and case.startswith("ss")): yield "UDP", check_datagrams

def run(client, server, case, echo):
    """A cell of the table, and what went wrong."""
    try:
        running = chain(client, server, case, echo)
    except Failure as e: return "**does not start**", [str(e)]
    if running is None: return "–", []
    cell, wrong = [], []
    try:
        for name, check in checks(case, server):
            try:
                note = check(running[0], 1200 if {client.name, server.name} & set(SMALL_BUFFERS) else 4000)
                cell.append(f"{name} ({note})" if note else name)
            except (Failure, OSError) as e:
                cell.append(f"**{name} fails**")
                wrong.append(f"{name}: {e}; " + " | ".join(tail(p) for p in running[1]))
    finally:
        for p in running[1]: stop(p)
    return " ".join(cell), wrong

def table(title, names, rows):
    lines = [f"## {title}", "", "| | " + " | ".join(names) + " |", "| --- |" + " --- |" * len(names)]
    lines += ["| " + CASES[case] + " | " + " | ".join(cells) + " |" for case, cells in rows]
    return "\n".join(lines) + "\n"

def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("--peers", default=""); a.add_argument("--cases", default=""); a.add_argument("--limit", type=int, default=1200)
    a.add_argument("--write", help="the file for the tables"); o = a.parse_args()
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(f"not finished after {o.limit} s")); signal.alarm(o.limit)
    ours = Box("sluice", os.environ.get("SLUICE", str(ROOT / "sluice")))
    others = peers([p for p in o.peers.lower().split(",") if p])
    cases = [c for c in CASES if not o.cases or c in o.cases.split(",")]
    if not others: sys.exit("no peers: point $PEERS to a folder with sing-box, xray, mihomo, sslocal, ssserver or shoes")
    subprocess.run([ours.program, "version"], stdout=subprocess.DEVNULL, timeout=600)     # builds on first use
    versions = [p.version() for p in others]
    echo, failures, tables = echo_server(), [], {"client": [], "server": []}
    for case in cases:
        for role, rows in tables.items():
            cells = []
            for peer in others:
                cell, wrong = run(*((ours, peer) if role == "client" else (peer, ours)), case, echo)
                cells.append(cell)
                print(f"{case:14} sluice as {role} with {peer.name:18} {cell}", flush=True)
                for w in wrong:
                    print("    " + w[:900], flush=True); failures.append((case, role, peer.name))
            rows.append((case, cells))
    text = (f"# Interoperation\n\nWritten by `lab/interop/peers.py` on {datetime.date.today()} with {ours.version()}, Linux "
            f"{os.uname().release.split('-')[0]}; both ends on loopback. A stream sends 1 MB to an echo server and ends when all is back; "
            "datagrams have 1 to 4,000 bytes. \"–\" means that the other program does not have it.\n\n"
            + table("Sluice as the client, the other as the server", versions, tables["client"]) + "\n"
            + table("The other as the client, Sluice as the server", versions, tables["server"]))
    if o.write: pathlib.Path(o.write).write_text(text)
    else: print(text)
    sys.exit(1 if failures else 0)

if __name__ == "__main__": main()
