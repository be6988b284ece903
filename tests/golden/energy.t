# Energy: what is asked for wrongly, and a fit.
$ gumshoe energy
gumshoe energy: show, counts or fit?
Try 'gumshoe energy --help'.
[2]

$ gumshoe energy burn
gumshoe energy: show, counts or fit, not 'burn'
Try 'gumshoe energy --help'.
[2]

$ gumshoe energy fit samples.csv
gumshoe energy: fit needs --core
Try 'gumshoe energy --help'.
[2]

$ gumshoe energy show --groups 3
gumshoe energy: --groups means nothing to 'show'
Try 'gumshoe energy --help'.
[2]

$ gumshoe energy counts --correct
gumshoe energy: --correct means nothing to 'counts'
Try 'gumshoe energy --help'.
[2]

$ gumshoe energy fit --core tiger-mips --groups 33 samples.csv
gumshoe energy: --groups wants a number from 1 to 32, not '33'
Try 'gumshoe energy --help'.
[2]

$ gumshoe energy show
gumshoe: gumshoe.db: no such file; 'gumshoe run -o FILE PROGRAM' makes one
[3]

$ printf 'run,energy_nj,stalls,nop,addu\na,105,10,100,0\nb,310,20,0,100\nc,241,80,50,50\nd,281,3,10,90\ne,163,50,80,20\n' > samples.csv; gumshoe energy fit --core tiger-mips samples.csv -o mine.yaml
5 runs, 2 instructions and the stall, 2 groups

   group            pJ          mW  instructions
       A       997.639      24.941  1
       B      3000.326      75.008  1
   stall       492.121      12.303

    measured      left out     error  run
  105.000 nJ    100.229 nJ    -4.54%  a
  310.000 nJ    309.772 nJ    -0.07%  b
  241.000 nJ    236.642 nJ    -1.81%  c
  281.000 nJ    282.089 nJ    +0.39%  d
  163.000 nJ    165.607 nJ    +1.60%  e

A run that was left out of the fit is 1.68% off on average, either way.

$ cat mine.yaml
name: "tiger-mips-energy"
extends: "tiger-mips"
summary: "tiger-mips with an energy table fitted to measurements"

energy:
  source: "fitted to 5 runs of samples.csv; 1.7% off on average for a run left out"
  clock_hz: 25000000
  stall_mw: 12.303
  stalls: all
  average_stall_percent: 21.290
  groups:
    - name: A
      power_mw: 24.941
      instructions: [nop]
    - name: B
      power_mw: 75.008
      instructions: [addu]
  others: A

$ gumshoe cores show ./mine.yaml | grep -A8 Energy
Energy
  source      fitted to 5 runs of samples.csv; 1.7% off on average for a run
              left out
  measured    at 25 MHz
  stall         12.303 mW  in every lost cycle
  stalling    21.29% of the time in the programs measured
  A             24.941 mW
              sll srl sra sllv srlv srav add sub subu and or xor nor slt sltu
              addi addiu slti sltiu andi ori xori lui mfhi mthi mflo mtlo mult

$ printf 'run,energy_nj,stalls,nop,addu\na,140,20,100,0\nb,,40,0,100\n' > samples.csv; gumshoe energy fit --core tiger-mips samples.csv
gumshoe: samples.csv:3: the energy of this run is missing; measure it, or remove the line
[3]

$ gumshoe energy fit --core ideal samples.csv
gumshoe: core ideal runs any instruction set; a table is for one of them
[3]
