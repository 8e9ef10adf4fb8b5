//! What is tried. Each is a piece of a shell script that ends by itself. `$OUT` is a directory of its own that cannot be
//! written, with a file `kept` in it; what changes there is seen from outside. What only the inside can see is told by
//! printing `ESCAPED`.

/// What of a sandbox an attempt is against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Against {
    Writes,
    Metadata,
    Protected,
    Hidden,
    Network,
    /// The proxy to other machines, tried where there is one.
    Proxy,
    Processes,
    Sockets,
    /// What only namespaces give: own devices, own `/tmp`, hidden sockets with a path.
    Namespaces,
    /// The filter of system calls and the loss of privileges.
    Privileges,
}

use Against::{
    Hidden, Metadata, Namespaces, Network, Privileges, Processes, Protected, Proxy, Sockets, Writes,
};

/// Attempts: what they are against, and the script.
pub(super) const ATTEMPTS: &[(Against, &str)] = &[
    // Writing outside, plainly.
    (Writes, "echo x >$OUT/new"),
    (Writes, "echo x >>$OUT/kept"),
    (Writes, ": >$OUT/kept"),
    (Writes, "truncate -s 0 $OUT/kept"),
    (Writes, "truncate -s 0 /proc/self/root$OUT/kept"),
    (Writes, "rm -f $OUT/kept"),
    (Writes, "unlink $OUT/kept"),
    (Writes, "mv $OUT/kept $OUT/other"),
    (Writes, "mv $OUT/kept $WORK/stolen"),
    (Writes, "mv $WORK/mine $OUT/mine"),
    (Writes, "ln $WORK/mine $OUT/hard"),
    (Writes, "ln $OUT/kept $WORK/hard$N && echo x >>$WORK/hard$N"),
    (Writes, "ln -s /etc/passwd $OUT/link"),
    (Writes, "mkdir $OUT/directory"),
    (Writes, "mkfifo $OUT/pipe"),
    (Writes, "mknod $OUT/device c 1 3"),
    (
        Writes,
        "mknod $WORK/disk$N b 254 0 && head -c1 $WORK/disk$N && echo ESCAPED",
    ),
    (Writes, "cp $WORK/mine $OUT/copy"),
    (Writes, "cp -f $WORK/mine $OUT/kept"),
    (Writes, "install -m 777 $WORK/mine $OUT/installed"),
    (
        Writes,
        "dd if=/dev/zero of=$OUT/kept bs=1 count=1 conv=notrunc",
    ),
    (
        Writes,
        "dd if=/dev/zero of=$OUT/kept bs=1 count=1 oflag=direct conv=notrunc",
    ),
    (Writes, "fallocate -l 100 $OUT/kept"),
    (Writes, "tee $OUT/kept <$WORK/mine"),
    (Writes, "sed -i s/as/AS/ $OUT/kept"),
    (
        Writes,
        "perl -e 'open F,\"+<\",\"$ENV{OUT}/kept\" and print F \"x\"'",
    ),
    (
        Writes,
        "python3 -c 'import os,mmap;f=os.open(os.environ[\"OUT\"]+\"/kept\",os.O_RDWR);m=mmap.mmap(f,1);m[0:1]=b\"x\"'",
    ),
    (Writes, "touch $OUT"),
    (Writes, "rmdir $OUT; rm -rf $OUT"),
    (
        Writes,
        "git -c user.name=a -c user.email=b@c init -q $OUT/repository",
    ),
    (Writes, "tar -cf $OUT/archive.tar $WORK/mine"),
    (
        Writes,
        "tar -C / -cf - ${OUT#/}/kept | tar -C / -xf - --overwrite; cat /dev/null >$OUT/kept",
    ),
    // By another way to the same place.
    (Writes, "ln -s $OUT $WORK/way$N && echo x >$WORK/way$N/new"),
    (
        Writes,
        "ln -s $OUT/kept $WORK/file$N && echo x >$WORK/file$N",
    ),
    (
        Writes,
        "ln -s $OUT/new $WORK/dangling$N && echo x >$WORK/dangling$N",
    ),
    (Writes, "echo x >$WORK/../outside/$N/new"),
    (Writes, "cd $OUT && echo x >new"),
    (Writes, "cd $WORK && cd .. && echo x >outside/$N/new"),
    (Writes, "echo x >/proc/self/root$OUT/new"),
    (Writes, "echo x >/proc/1/root$OUT/new"),
    (Writes, "echo x >/proc/$PPID/root$OUT/new"),
    (Writes, "echo x >/proc/$PPID/cwd/../outside/$N/new"),
    (Writes, "cd $OUT; echo x >/proc/self/cwd/new"),
    (Writes, "exec 5<$OUT; echo x >/proc/self/fd/5/new"),
    (Writes, "exec 5<$OUT/kept; echo x >/proc/self/fd/5"),
    (Writes, "exec 5<$OUT/kept; echo x >/dev/fd/5"),
    (
        Writes,
        "for f in /proc/self/fd/*; do echo x >$f/../outside/$N/new; done",
    ),
    (
        Writes,
        "for p in /proc/[0-9]*; do echo x >$p/root$OUT/new; echo x >$p/cwd/new$N; done; ls /proc/[0-9]*/cwd/../outside/$N/new",
    ),
    (
        Writes,
        "mkdir -p $WORK/race$N/a; (for i in 1 2 3 4 5 6 7 8 9; do mv $WORK/race$N $WORK/gone$N; ln -s $OUT $WORK/race$N; rm $WORK/race$N; mv $WORK/gone$N $WORK/race$N; done) & for i in 1 2 3 4 5 6 7 8 9; do echo x >$WORK/race$N/new; done; wait",
    ),
    (
        Writes,
        "(cd $WORK && mkdir -p deep$N/a && cd deep$N/a && mv ../../deep$N /tmp/ ; echo x >../../outside/$N/new)",
    ),
    // By mounting, changing the root or a new namespace.
    (Privileges, "mount --bind $OUT $WORK && echo ESCAPED"),
    (Privileges, "mount -o remount,rw / && echo ESCAPED"),
    (Privileges, "mount -o remount,bind,rw / && echo ESCAPED"),
    (Privileges, "mount -t tmpfs none $WORK && echo ESCAPED"),
    (Privileges, "mount -t proc none $WORK && echo ESCAPED"),
    (
        Privileges,
        "mount -t overlay none -o lowerdir=/etc,upperdir=$WORK,workdir=$WORK $WORK && echo ESCAPED",
    ),
    (Privileges, "umount /proc && echo ESCAPED"),
    (Privileges, "umount -l $WORK && echo ESCAPED"),
    (Privileges, "umount -l /tmp && echo ESCAPED"),
    (Privileges, "chroot / true && echo ESCAPED"),
    (Privileges, "unshare -U true && echo ESCAPED"),
    (Privileges, "unshare -r true && echo ESCAPED"),
    (Privileges, "unshare -m true && echo ESCAPED"),
    (Privileges, "unshare -n true && echo ESCAPED"),
    (Privileges, "unshare -p -f true && echo ESCAPED"),
    (
        Privileges,
        "unshare -Urm mount --bind /etc /mnt && echo ESCAPED",
    ),
    (Privileges, "nsenter -t 1 -m true && echo ESCAPED"),
    (Privileges, "nsenter -t $PPID -m true && echo ESCAPED"),
    (Privileges, "nsenter -t 1 -U true && echo ESCAPED"),
    (Privileges, "setpriv --reuid 1 true && echo ESCAPED"),
    (
        Privileges,
        "setpriv --ambient-caps +sys_admin grep 'CapEff.*[1-9a-f]' /proc/self/status && echo ESCAPED",
    ),
    (
        Privileges,
        "capsh --print | grep -i 'current:.*cap_' && echo ESCAPED",
    ),
    (
        Privileges,
        "grep -E 'Cap(Eff|Prm|Amb|Inh):.*[1-9a-f]' /proc/self/status && echo ESCAPED",
    ),
    (
        // Who is not root cannot give up what bounds them, and has nothing within the bounds.
        Privileges,
        "[ $(id -u) = 0 ] && grep 'CapBnd:.*[1-9a-f]' /proc/self/status && echo ESCAPED",
    ),
    (
        Privileges,
        "grep 'NoNewPrivs:.*1' /proc/self/status || echo ESCAPED",
    ),
    (
        Privileges,
        "grep 'Seccomp:.*2' /proc/self/status || echo ESCAPED",
    ),
    (
        Privileges,
        "cp /usr/bin/id $WORK/id$N; chmod u+s $WORK/id$N; [ \"$($WORK/id$N -u)\" = \"$(id -u)\" ] || echo ESCAPED",
    ),
    (Privileges, "su -c 'echo ESCAPED' nobody </dev/null"),
    (Privileges, "hostname $(hostname) && echo ESCAPED"),
    (Privileges, "date -s @$(date +%s) && echo ESCAPED"),
    (Privileges, "dmesg | grep . && echo ESCAPED"),
    (
        Privileges,
        "perl -e 'print \"ESCAPED\" if syscall(425,8,\"\\0\"x120)>=0'",
    ),
    (
        Privileges,
        "perl -e 'print \"ESCAPED\" if syscall(321,0,\"\\0\"x72,72)>=0'",
    ),
    (
        Privileges,
        "perl -e 'print \"ESCAPED\" if syscall(298,\"\\0\"x112,0,-1,-1,0)>=0'",
    ),
    (
        Privileges,
        "perl -e 'print \"ESCAPED\" if syscall(323,1)>=0'",
    ),
    (
        Privileges,
        "perl -e 'print \"ESCAPED\" if syscall(248,\"user\",\"d\",\"x\",1,-3)>=0'",
    ),
    (
        Privileges,
        "perl -e 'print \"ESCAPED\" if syscall(250,1,0,0,0,0)>=0'",
    ),
    (
        Privileges,
        "perl -e 'print \"ESCAPED\" if syscall(308,0,0)>=0; print \"ESCAPED\" if $!==22'",
    ),
    (
        Privileges,
        "perl -e 'my $p=syscall(435,pack(\"Q8\",0x10000000,0,0,0,17,0,0,0),64); exit 0 if $p==0; print \"ESCAPED\" if $p>0'",
    ),
    (
        Privileges,
        "perl -e 'my $p=syscall(56,0x10000000|17,0,0,0,0); exit 0 if $p==0; print \"ESCAPED\" if $p>0'",
    ),
    (
        Privileges,
        "perl -e 'my $p=syscall(0x40000000|272,0x10000000); print \"ESCAPED\" if $p==0'",
    ),
    (
        Privileges,
        "perl -e 'print \"ESCAPED\" if syscall(428,-100,\"/\",1)>=0'",
    ),
    (
        Privileges,
        "perl -e 'print \"ESCAPED\" if syscall(430,\"tmpfs\",0)>=0'",
    ),
    (
        Privileges,
        "perl -e 'print \"ESCAPED\" if syscall(161,\"/\")==0'",
    ),
    (
        Privileges,
        "perl -e 'print \"ESCAPED\" if syscall(155,\"/tmp\",\"/tmp\")==0'",
    ),
    (
        Privileges,
        "perl -e 'my $b=\"x\"; ioctl(STDIN,0x5412,$b) and print \"ESCAPED\"; print \"ESCAPED\" if $!==25'",
    ),
    (
        Privileges,
        "perl -e 'my $b=\"\\2\"; ioctl(STDIN,0x541C,$b) and print \"ESCAPED\"; print \"ESCAPED\" if $!==25'",
    ),
    (
        Privileges,
        "python3 -c 'import fcntl,pty,os;m,s=pty.openpty();fcntl.ioctl(s,0x5412,b\"x\");print(\"ESCAPED\")'",
    ),
    (
        Privileges,
        "perl -e 'print \"ESCAPED\" if syscall(304,-100,\"\\0\"x16,0)>=0; print \"ESCAPED\" unless $!==1'",
    ),
    (
        Privileges,
        "perl -e 'my $f=syscall(319,\"x\",0); open F,\">&=\",$f; syswrite F,\"#!/bin/sh\\necho x >$ENV{OUT}/new\\n\"; exec \"/proc/self/fd/$f\"'",
    ),
    (
        Privileges,
        "echo x | tee /proc/self/uid_map && echo ESCAPED",
    ),
    // Modes and times.
    (Metadata, "chmod 777 $OUT/kept"),
    (Metadata, "chmod 777 $OUT"),
    (Metadata, "touch -d 2000-01-01 $OUT/kept"),
    (Metadata, "chown 1:1 $OUT/kept"),
    (
        Metadata,
        "setfattr -n user.x -v y $OUT/kept; perl -e 'print \"ESCAPED\" if syscall(188,\"$ENV{OUT}/kept\",\"user.x\",\"y\",1,0)==0'",
    ),
    (Metadata, "exec 5<$OUT/kept; chmod 777 /proc/self/fd/5"),
    (
        Metadata,
        "ln -s $OUT/kept $WORK/mode$N; chmod 777 $WORK/mode$N",
    ),
    // What could make something run later.
    (Protected, "echo x >$WORK/.git/hooks/pre-commit"),
    (Protected, "echo x >>$WORK/.git/config"),
    (Protected, "git -C $WORK config core.fsmonitor x"),
    (Protected, "git -C $WORK config core.hooksPath $WORK"),
    (
        Protected,
        "rm -rf $WORK/.git/hooks; ln -s $WORK $WORK/.git/hooks",
    ),
    (
        Protected,
        "mv $WORK/.git/hooks $WORK/.git/old; mkdir $WORK/.git/hooks; echo x >$WORK/.git/hooks/pre-commit",
    ),
    (
        Protected,
        "mv $WORK/.git $WORK/moved && cp -r $WORK/moved $WORK/.git && echo x >$WORK/.git/config",
    ),
    (Protected, "rm -rf $WORK/.git"),
    (Protected, "mv $WORK $WORK.old"),
    (
        Protected,
        "cp $WORK/mine $WORK/.git/config.lock; mv -f $WORK/.git/config.lock $WORK/.git/config",
    ),
    (Protected, "echo x >$WORK/.envrc"),
    (Protected, "mv $WORK/.envrc $WORK/other$N"),
    (Protected, "echo x >$WORK/.quarterdeck/config.toml"),
    (Protected, "mv $WORK/.quarterdeck $WORK/other$N"),
    (Protected, "chmod 777 $WORK/.git/config"),
    (Protected, "echo x >$WORK/.git/modules/sub/config"),
    (
        Protected,
        "echo x >$WORK/.git/modules/sub/hooks/post-checkout",
    ),
    (Protected, "echo ../evil >$WORK/.git/worktrees/w/commondir"),
    (Protected, "echo gitdir: $WORK/evil >$WORK/sub/.git"),
    (Protected, "mv $WORK/sub/.git $WORK/other$N"),
    (
        Protected,
        "rm -rf $WORK/sub && mkdir $WORK/sub && echo x >$WORK/sub/.git",
    ),
    (
        Protected,
        "mv $WORK/sub $WORK/other$N && mkdir $WORK/sub && echo x >$WORK/sub/.git",
    ),
    (Protected, "echo x >>$WORK/vendor/lib/.git/config"),
    (
        Protected,
        "echo x >$WORK/vendor/lib/.git/hooks/post-checkout",
    ),
    (
        Protected,
        "mv $WORK/vendor $WORK/other$N && mkdir -p $WORK/vendor/lib/.git",
    ),
    (Protected, "echo x >$WORK/vendor/lib/.envrc"),
    // What must not be read.
    (Hidden, "grep . $OWN/secret && echo ESCAPED"),
    (Hidden, "ls $OWN | grep . && echo ESCAPED"),
    (Hidden, "echo x >$OWN/new"),
    (Hidden, "grep . /proc/self/root$OWN/secret && echo ESCAPED"),
    (Hidden, "chmod 700 $OWN; grep . $OWN/secret && echo ESCAPED"),
    (Hidden, "mv $OWN $WORK/own && echo ESCAPED"),
    (
        Hidden,
        "ln $OWN/secret $WORK/secret && grep . $WORK/secret && echo ESCAPED",
    ),
    (Hidden, "grep . $WORK/.env && echo ESCAPED"),
    (
        Hidden,
        "chmod 600 $WORK/.env; grep . $WORK/.env && echo ESCAPED",
    ),
    (
        Hidden,
        "mv $WORK/.env $WORK/env && grep . $WORK/env && echo ESCAPED",
    ),
    (Hidden, "grep . /etc/shadow && echo ESCAPED"),
    (
        Hidden,
        "find $OWN/.. -name secret-of-qd -exec grep . {} + && echo ESCAPED",
    ),
    // Processes outside.
    (Processes, "kill -0 $QD && echo ESCAPED"),
    (Processes, "grep -a . /proc/$QD/environ && echo ESCAPED"),
    (Processes, "head -c1 /proc/$QD/mem && echo ESCAPED"),
    (Processes, "echo x >/proc/$QD/root$OUT/new"),
    (Namespaces, "ls /proc/$QD/fd/ | grep . && echo ESCAPED"),
    (
        Processes,
        "perl -e 'print \"ESCAPED\" if syscall(101,16,$ENV{QD},0,0)==0'",
    ),
    (
        Processes,
        "perl -e 'print \"ESCAPED\" if syscall(101,0x4206,$ENV{QD},0,0)==0'",
    ),
    (
        Processes,
        "perl -e 'my $f=syscall(434,$ENV{QD},0); print \"ESCAPED\" if $f>=0 and syscall(438,$f,0,0)>=0'",
    ),
    (
        Processes,
        "perl -e 'my $b=\"\\0\"x8; print \"ESCAPED\" if syscall(310,$ENV{QD},pack(\"PQ\",$b,8),1,pack(\"QQ\",0x400000,8),1,0)>0'",
    ),
    (
        Processes,
        "grep -al QD_SECRET_MARK /proc/[0-9]*/environ 2>/dev/null | grep . && echo ESCAPED",
    ),
    (
        Processes,
        "grep -a QD_HANDED_OVER /proc/self/environ && echo ESCAPED",
    ),
    (
        Processes,
        "env | grep -E 'SSH_AUTH_SOCK|DBUS_SESSION|XDG_RUNTIME|DOCKER_HOST|WAYLAND|API_KEY' && echo ESCAPED",
    ),
    (Processes, "readlink /proc/$QD/fd/0 && echo ESCAPED"),
    (Processes, "head -c1 /proc/$QD/fd/0 && echo ESCAPED"),
    // Sockets without a path.
    (
        Sockets,
        "python3 -c 'import socket,os;s=socket.socket(1);s.connect(\"\\0\"+os.environ[\"ABSTRACT\"]);print(\"ESCAPED\")'",
    ),
    (
        Sockets,
        "python3 -c 'import socket,os;s=socket.socket(1,2);s.sendto(b\"x\",\"\\0\"+os.environ[\"ABSTRACT\"]+\"-d\");print(\"ESCAPED\")'",
    ),
    // What only namespaces give.
    (
        Namespaces,
        "python3 -c 'import socket,os;s=socket.socket(1);s.connect(os.environ[\"SOCKET\"]);print(\"ESCAPED\")'",
    ),
    (
        Namespaces,
        "ls -A /run | grep -v -x -e current-system -e systemd | grep . && echo ESCAPED",
    ),
    (Namespaces, "[ -e /var/run/docker.sock ] && echo ESCAPED"),
    (Namespaces, "ls /tmp/.X11-unix && echo ESCAPED"),
    (
        Namespaces,
        "ls /dev | grep -E 'vda|sda|mem|kmsg|fuse|kvm|loop|mapper|input' && echo ESCAPED",
    ),
    (Namespaces, "head -c1 /dev/vda && echo ESCAPED"),
    (
        Namespaces,
        "mknod /dev/shm/disk b 254 0 && head -c1 /dev/shm/disk && echo ESCAPED",
    ),
    (Namespaces, "echo x >/dev/new && echo ESCAPED"),
    (Namespaces, "echo h >/proc/sysrq-trigger && echo ESCAPED"),
    (
        Namespaces,
        "f=/proc/sys/kernel/core_pattern; v=$(cat $f); echo \"$v\" >$f && echo ESCAPED",
    ),
    (
        Namespaces,
        "f=/proc/sys/kernel/randomize_va_space; v=$(cat $f); echo \"$v\" >$f && echo ESCAPED",
    ),
    (
        Namespaces,
        "f=/proc/sys/vm/swappiness; v=$(cat $f); echo \"$v\" >$f && echo ESCAPED",
    ),
    (Namespaces, "mkdir /sys/fs/cgroup/escape$N && echo ESCAPED"),
    (
        Namespaces,
        "for f in /sys/fs/cgroup/*/release_agent; do v=$(cat $f) && echo \"$v\" >$f && echo ESCAPED; done",
    ),
    (
        Namespaces,
        "echo x >/tmp/outside-$MARK; ls -d /tmp/mark-$MARK && echo ESCAPED",
    ),
    (Namespaces, "ipcs -m | grep -w $(id -un) && echo ESCAPED"),
    (Namespaces, "ps -e | grep -w $QD && echo ESCAPED"),
    (Namespaces, "ls /proc | grep -x $QD && echo ESCAPED"),
    (
        Namespaces,
        "kill -9 1; kill -9 $PPID; kill -TERM 1; echo still",
    ),
    (
        Namespaces,
        "setsid sh -c 'setsid sh -c \"sleep 0.2; echo x >$OUT/new\" &' &",
    ),
    // The network, where there is none.
    (Network, "exec 5<>/dev/tcp/127.0.0.1/$PORT && echo ESCAPED"),
    (Network, "echo x >/dev/udp/127.0.0.1/$PORT"),
    (Network, "exec 5<>/dev/tcp/localhost/$PORT && echo ESCAPED"),
    (Network, "exec 5<>/dev/tcp/0/$PORT && echo ESCAPED"),
    (
        Network,
        "curl -sf --max-time 1 http://127.0.0.1:$PORT/ && echo ESCAPED",
    ),
    (
        Network,
        "curl -sf --max-time 1 http://127.1:$PORT/ && echo ESCAPED",
    ),
    (
        Network,
        "curl -sf --max-time 1 http://[::ffff:127.0.0.1]:$PORT/ && echo ESCAPED",
    ),
    (
        Network,
        "curl -sf --max-time 1 http://192.0.2.1/ && echo ESCAPED",
    ),
    (
        Network,
        "python3 -c 'import socket,os;socket.create_connection((\"127.0.0.1\",int(os.environ[\"PORT\"])),1);print(\"ESCAPED\")'",
    ),
    (
        Network,
        "python3 -c 'import socket,os;s=socket.socket(2,2);s.sendto(b\"x\",(\"127.0.0.1\",int(os.environ[\"PORT\"])))'",
    ),
    (
        Network,
        "python3 -c 'import socket,os;s=socket.socket(10,1);s.connect((\"::ffff:127.0.0.1\",int(os.environ[\"PORT\"])));print(\"ESCAPED\")'",
    ),
    (
        Network,
        "python3 -c 'import socket,os;s=socket.socket(2,1);s.sendto(b\"x\",0x20000000,(\"127.0.0.1\",int(os.environ[\"PORT\"])));print(\"ESCAPED\")'",
    ),
    (
        Network,
        "python3 -c 'import socket,os;s=socket.socket(2,1,262);s.connect((\"127.0.0.1\",int(os.environ[\"PORT\"])));print(\"ESCAPED\")'",
    ),
    (
        Network,
        "python3 -c 'import socket;socket.socket(2,3,1);print(\"ESCAPED\")'",
    ),
    (
        Network,
        "python3 -c 'import socket;socket.socket(17,3);print(\"ESCAPED\")'",
    ),
    (
        Network,
        "python3 -c 'import socket;socket.socket(40,1);print(\"ESCAPED\")'",
    ),
    (
        Network,
        "python3 -c 'import socket;socket.socket(38,5);print(\"ESCAPED\")'",
    ),
    (Network, "getent hosts example.invalid && echo ESCAPED"),
    (
        Namespaces,
        "ls /sys/class/net | grep -v -x lo; grep -E 'eth|ens|wlan' /proc/net/dev && echo ESCAPED",
    ),
    // This machine, by way of the proxy. Whatever arrives there is seen from outside.
    (
        Proxy,
        "curl -sf -g --noproxy '' --max-time 2 'http://127.0.0.1:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g --noproxy '' --max-time 2 'http://127.1:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g --noproxy '' --max-time 2 'http://0x7f000001:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g --noproxy '' --max-time 2 'http://2130706433:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g --noproxy '' --max-time 2 'http://017700000001:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g --noproxy '' --max-time 2 'http://localhost:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g --noproxy '' --max-time 2 'http://localhost.:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g --noproxy '' --max-time 2 'http://0:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g --noproxy '' --max-time 2 'http://[::1]:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g --noproxy '' --max-time 2 'http://[::ffff:127.0.0.1]:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g --noproxy '' --max-time 2 'http://[::ffff:7f00:1]:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g --noproxy '' --max-time 2 'http://[64:ff9b::127.0.0.1]:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g --noproxy '' --max-time 2 'http://[2002:7f00:1::1]:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g --noproxy '' --max-time 2 'http://127.0.0.1.:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g --noproxy '' --max-time 2 'http://%31%32%37.0.0.1:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g -p --noproxy '' --max-time 2 'http://127.0.0.1:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g -p --noproxy '' --max-time 2 'http://127.1:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g -p --noproxy '' --max-time 2 'http://localhost:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g -p --noproxy '' --max-time 2 'http://[::1]:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -g -p --noproxy '' --max-time 2 'http://[::ffff:127.0.0.1]:'$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf --noproxy '' --max-time 2 http://example.org@127.0.0.1:$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf --noproxy '' --max-time 2 -H 'Host: example.org' http://127.0.0.1:$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf --noproxy '' --max-time 2 https://127.0.0.1:$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf --noproxy '' --max-time 2 http://169.254.169.254/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf -p --noproxy '' --max-time 2 http://10.0.0.1:22/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf --max-time 2 --connect-to ::127.0.0.1:$PORT http://example.org/ && echo ESCAPED",
    ),
    (
        Proxy,
        "curl -sf --max-time 2 --socks5-hostname 127.0.0.1:3128 http://127.0.0.1:$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "NO_PROXY=* no_proxy=* curl -sf --max-time 2 http://127.0.0.1:$PORT/ && echo ESCAPED",
    ),
    (
        Proxy,
        "python3 -c 'import os,socket,urllib.parse as u;p=u.urlparse(os.environ[\"http_proxy\"]);s=socket.create_connection((p.hostname,p.port),2);s.sendall(b\"CONNECT 127.0.0.1:%s HTTP/1.1\\r\\n\\r\\nx\"%os.environ[\"PORT\"].encode());s.settimeout(2);s.recv(99)'",
    ),
    (
        Proxy,
        "python3 -c 'import os,socket,urllib.parse as u;p=u.urlparse(os.environ[\"http_proxy\"]);s=socket.create_connection((p.hostname,p.port),2);s.sendall(b\"GET http://example.invalid/ HTTP/1.1\\r\\nHost: 127.0.0.1:%s\\r\\n\\r\\n\"%os.environ[\"PORT\"].encode());s.settimeout(2);s.recv(99)'",
    ),
    (
        Proxy,
        "python3 -c 'import os,socket,urllib.parse as u;p=u.urlparse(os.environ[\"http_proxy\"]);s=socket.create_connection((p.hostname,p.port),2);s.sendall(b\"GET / HTTP/1.1\\r\\nHost: 127.0.0.1:%s\\r\\n\\r\\n\"%os.environ[\"PORT\"].encode());s.settimeout(2);s.recv(99)'",
    ),
    (
        Proxy,
        "python3 -c 'import os,socket,urllib.parse as u;p=u.urlparse(os.environ[\"http_proxy\"]);s=socket.create_connection((p.hostname,p.port),2);s.sendall(b\"CONNECT 127.0.0.1:%s#:80 HTTP/1.1\\r\\n\\r\\nx\"%os.environ[\"PORT\"].encode());s.settimeout(2);s.recv(99)'",
    ),
    (
        Proxy,
        "python3 -c 'import os,socket,urllib.parse as u;p=u.urlparse(os.environ[\"http_proxy\"]);s=socket.create_connection((p.hostname,p.port),2);s.sendall(b\"CONNECT a.example\\t127.0.0.1:%s HTTP/1.1\\r\\n\\r\\nx\"%os.environ[\"PORT\"].encode());s.settimeout(2);s.recv(99)'",
    ),
    // A terminal of the person's.
    (Writes, "echo x >$TERMINAL && echo ESCAPED"),
];
