#!/usr/bin/env python3
"""Processor time, throughput and memory of Sluice beside other engines, in one run.

    lab/measure/beside.py [--engines sluice,sing-box,ss-rust] [--cases forward,ss22-aes128] [--role client|server]
                          [--streams 1,8] [--seconds 5] [--rounds 2] [--warm 1] [--udp MBIT]

A chain is iperf3, a client engine with a forward port, a server engine (none for `forward`), iperf3's server; all on
loopback. The engine under test takes one role, the other end is ssserver or sslocal where found, else Sluice. Engines take
turns, so that a change in the machine's speed meets all of them. Read ratios within one run, not single figures. Each
figure is of a new process; with `--warm 5`, one that carried 8 streams in each direction for 5 seconds before.
Programs are looked for in the folder that $PEERS names, then on PATH; Sluice is ./sluice of this tree, or $SLUICE.
"""
import argparse, json, os, pathlib, shutil, signal, socket, statistics, subprocess, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = pathlib.Path(tempfile.mkdtemp(prefix="sluice-beside-"))
KEY = "AAECAwQFBgcICQoLDA0ODw=="
METHODS = {"ss-aes128": ("aes-128-gcm", "measured"), "ss-chacha": ("chacha20-ietf-poly1305", "measured"),
           "ss22-aes128": ("2022-blake3-aes-128-gcm", KEY)}


def find(name):
    folder = os.environ.get("PEERS")
    if folder and os.access(os.path.join(folder, name), os.X_OK): return os.path.join(folder, name)
    return shutil.which(name)

def sluice(): return os.environ.get("SLUICE", str(ROOT / "sluice"))

def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0)); return probe.getsockname()[1]

def listens(port, within=30):
    until = time.time() + within
    while time.time() < until:
        for table in ("/proc/net/tcp", "/proc/net/tcp6"):
            for fields in map(str.split, open(table)):
                if fields[3] == "0A" and fields[1].endswith(f":{port:04X}"): return
        time.sleep(0.05)
    raise RuntimeError(f"nothing listens on {port}")

def start(command, label):
    log = open(WORK / f"{label}.log", "w")
    return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)

def stop(process):
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        try: process.wait(5)
        except subprocess.TimeoutExpired: os.killpg(process.pid, signal.SIGKILL); process.wait()

def written(name, tree):
    path = WORK / name; path.write_text(json.dumps(tree)); return str(path)

def common(case, client, listen, server, target):
    """The configuration that Sluice and sing-box share."""
    method = METHODS.get(case)
    if client:
        inbound = {"type": "direct", "listen": "127.0.0.1", "listen_port": listen, "override_address": "127.0.0.1", "override_port": target}
        outbound = {"type": "direct"} if case == "forward" else {"type": "socks", "server": "127.0.0.1", "server_port": server} if case == "socks" else \
            {"type": "shadowsocks", "server": "127.0.0.1", "server_port": server, "method": method[0], "password": method[1]}
    else:
        inbound = {"type": "socks", "listen": "127.0.0.1", "listen_port": server} if case == "socks" else \
            {"type": "shadowsocks", "listen": "127.0.0.1", "listen_port": server, "method": method[0], "password": method[1]}
        outbound = {"type": "direct"}
    return {"log": {"level": "error"}, "inbounds": [inbound], "outbounds": [outbound]}

def command(engine, case, client, listen, server, target):
    """The command line of an engine in a role, or None where it has no such thing."""
    if engine in ("sluice", "sing-box"):
        program = sluice() if engine == "sluice" else find("sing-box")
        return program and [program, "run", "-c", written(f"{engine}-{case}-{client}.json", common(case, client, listen, server, target))]
    if engine == "ss-rust" and case in METHODS:
        program = find("sslocal" if client else "ssserver")
        method, password = METHODS[case]
        tail = ["-k", password, "-m", method, "-U"]
        return program and ([program, "--protocol", "tunnel", "-b", f"127.0.0.1:{listen}", "-s", f"127.0.0.1:{server}",
                             "-f", f"127.0.0.1:{target}", *tail] if client else [program, "-s", f"127.0.0.1:{server}", *tail])
    if engine == "haproxy" and case == "forward" and client and find("haproxy"):
        path = WORK / "haproxy.cfg"
        path.write_text(f"defaults\n mode tcp\n option splice-auto\n timeout connect 5s\n timeout client 60s\n timeout server 60s\n"
                        f"listen f\n bind 127.0.0.1:{listen}\n server s 127.0.0.1:{target}\n")
        return [find("haproxy"), "-f", str(path)]
    return None

def family(pid):
    children = open(f"/proc/{pid}/task/{pid}/children").read().split()
    return [pid] + [p for child in children for p in family(int(child))]

def cpu(pid):
    ticks = 0
    for each in family(pid):
        fields = open(f"/proc/{each}/stat").read().rsplit(")", 1)[1].split(); ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")

def peak_mib(pid):
    return sum(int(line.split()[1]) for each in family(pid) for line in open(f"/proc/{each}/status") if line.startswith("VmHWM")) / 1024

def iperf(port, seconds, *options):
    done = subprocess.run(["iperf3", "-J", "-c", "127.0.0.1", "-p", str(port), "-t", str(seconds), *options],
                          capture_output=True, text=True, timeout=seconds + 30)
    answer = json.loads(done.stdout)
    if "error" in answer: raise RuntimeError(answer["error"])
    return answer["end"]

def run(engine, case, options, note):
    target, listen, server = free_port(), free_port(), free_port()
    other = "ss-rust" if case in METHODS and find("ssserver") else "sluice"
    client, far = (engine, other) if options.role == "client" else (other, engine)
    near_command = command(client, case, True, listen, server, target)
    far_command = None if case == "forward" else command(far, case, False, listen, server, target)
    if near_command is None or (case != "forward" and far_command is None): return
    running = [start(["iperf3", "-s", "-B", "127.0.0.1", "-p", str(target)], "iperf3")]
    try:
        listens(target)
        if far_command: running.append(start(far_command, "far")); listens(server)
        running.append(start(near_command, "near")); listens(listen)
        under_test = running[-1] if options.role == "client" else running[1]
        if options.warm > 1:
            for back in ([], ["-R"]): iperf(listen, options.warm, "-P", "8", *back); time.sleep(0.2)
        else: iperf(listen, 1)
        time.sleep(0.5)
        for direction in ("up", "down"):
            back = ["-R"] if direction == "down" else []
            if options.udp:
                before = cpu(under_test.pid)
                end = iperf(listen, options.seconds, "-u", "-b", f"{options.udp}M", "-l", "1200", *back)["sum"]
                arrived = max(1, end["packets"] - end["lost_packets"])
                note(engine, case, direction, "udp", (cpu(under_test.pid) - before) / arrived * 1e6, end["bits_per_second"] / 1e6, peak_mib(under_test.pid))
                continue
            for streams in options.streams.split(","):
                before = cpu(under_test.pid)
                end = iperf(listen, options.seconds, "-P", streams, *back)["sum_received"]; time.sleep(0.2)
                note(engine, case, direction, streams, (cpu(under_test.pid) - before) / (end["bytes"] / 2**30), end["bits_per_second"] / 1e6, peak_mib(under_test.pid))
    finally:
        for process in reversed(running): stop(process)

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", default="sluice,sing-box,ss-rust,haproxy"); parser.add_argument("--cases", default="forward,ss22-aes128")
    parser.add_argument("--role", choices=["client", "server"], default="client"); parser.add_argument("--streams", default="1,8")
    parser.add_argument("--seconds", type=int, default=5); parser.add_argument("--rounds", type=int, default=2); parser.add_argument("--udp", type=int)
    parser.add_argument("--warm", type=int, default=1)
    options = parser.parse_args()
    figures = {}
    def note(engine, case, direction, streams, cost, mbit, mib):
        figures.setdefault((case, direction, streams), {}).setdefault(engine, []).append((cost, mbit, mib))
    try:
        for _ in range(options.rounds):
            for case in options.cases.split(","):
                for engine in options.engines.split(","):
                    try: run(engine, case, options, note)
                    except (RuntimeError, OSError, ValueError, subprocess.TimeoutExpired) as failure: print(f"{engine} {case}: failed: {failure}", flush=True)
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    unit = "us/datagram" if options.udp else "CPU s/GiB"
    print(f"| case, {options.role} | direction | streams | engine | {unit} | Mbit/s | peak MiB |\n| --- | --- | --- | --- | --- | --- | --- |")
    for (case, direction, streams), engines in figures.items():
        for engine, rounds in engines.items():
            cost, mbit, mib = (statistics.median(column) for column in zip(*rounds))
            print(f"| {case} | {direction} | {streams} | {engine} | {cost:.3f} | {mbit:.0f} | {mib:.0f} |")

if __name__ == "__main__": main()
